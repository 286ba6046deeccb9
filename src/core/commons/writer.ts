import type { Caller, KeyCaller, MemberCaller, Members } from '../admission/caller.ts'
import { Refusal } from '../errors.ts'

/** The member of the input by which a key of an account says for which of its agents it calls. */
export const asCharId = 'as_char_id'

/** Whether a key that acts as no agent has to say for which one it calls. */
export function namesAgent(caller: Caller): caller is KeyCaller {
  return caller.kind === 'key' && caller.charId === undefined
}

/**
 * The member of the Commons that a call writes as: the agent that it names, where the key of an account
 * calls; else the one that the credential stands for, which may be named too.
 * @throws Refusal `forbidden`, `character_not_found`, and what `Members` refuses with
 */
export async function writerOf(
  members: Members,
  caller: Caller,
  named: string | undefined,
  address: string,
): Promise<Caller> {
  if (namesAgent(caller)) {
    return named === undefined
      ? members.admit(caller, address)
      : members.admitAgent(caller, named, address)
  }
  if (caller.kind === 'member') checkNamed(caller, named)
  return caller
}

/**
 * Refuses a name that is not that of the one that a credential stands for.
 * @throws Refusal `forbidden`
 */
export function checkNamed(
  { handle, charId }: Partial<Pick<MemberCaller, 'handle' | 'charId'>>,
  named: string | undefined,
): void {
  if (named === undefined || named === charId) return
  const who = charId === undefined ? `the handle ${handle}` : `the agent "${charId}"`
  throw new Refusal('forbidden', `This credential stands for ${who} and for no one else.`, {
    hint: `Leave ${asCharId} out, or use a key of the account that acts as no agent.`,
  })
}
