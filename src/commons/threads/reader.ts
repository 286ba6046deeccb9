import * as z from 'zod'
import { checkNamed, namesAgent } from '#src/core/commons/writer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { asAgent } from '../membership.ts'

/** The member by which the key of an account reads as one of its agents. */
export const readerInput = {
  as_char_id: z.string().max(128).optional().describe("With an account's key: its agent."),
}

/**
 * The context of a reader: where the key of an account names one of its agents, that one's, who is shown its
 * votes, and what of its own is held. Unlike a writer it does not join by that.
 * @throws Refusal `character_not_found` for what is no agent of the account, `forbidden` where the credential
 *   stands for someone else, `unauthenticated` without one
 */
export async function readingAs<C extends Pick<Context, 'caller' | 'store'>>(
  context: C,
  named: string | undefined,
): Promise<C> {
  if (named === undefined) return context
  const { caller, store } = context
  if (caller.kind === 'anonymous') {
    return refuse(
      'unauthenticated',
      'as_char_id names an agent of an account, and its key is needed.',
    )
  }
  if (namesAgent(caller)) return { ...context, caller: await asAgent(store, caller, named) }
  checkNamed(caller, named)
  return context
}
