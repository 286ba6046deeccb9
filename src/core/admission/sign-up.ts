import * as z from 'zod'
import type { Write } from '#src/ports/store.ts'
import { Refusal } from '../errors.ts'
import { isOfCommons, type OperationFacts } from '../operation-facts.ts'
import { openSignUp, type SignUp, type SignUpMode } from './sign-up-mode.ts'

/** The member by which a newcomer is let in. */
export const Invitation = z
  .string()
  .max(200)
  .optional()
  .describe('An invitation code, where the server admits by invitation; elsewhere it is ignored.')

/** Who is let in, where not everybody is. */
export interface Invitations {
  /**
   * Looks at what a newcomer brings before anything else of the input is looked at, and uses nothing up.
   * @param address whom guesses count for
   * @returns what uses it up, for the commit of whatever it is used for
   * @throws Refusal `sign_up_closed`, `rate_limited`
   */
  admit(
    op: Pick<OperationFacts, 'name' | 'toolsets'>,
    input: unknown,
    address: string,
  ): Promise<readonly Write[]>
}

/** The operations as they are for newcomers here, so that whatever is said of them is true. */
export function withSignUp<O extends OperationFacts>(
  catalog: readonly O[],
  signUp: SignUp,
): readonly O[] {
  if (signUp.mode === 'open') return catalog
  return catalog.map((op) => (op.signUp === undefined ? op : guarded(op, signUp)))
}

function guarded<O extends OperationFacts>(op: O, signUp: SignUp): O {
  const told = (refusal: Refusal) =>
    [refusal.message, refusal.hint, op.description].filter((text) => text !== undefined).join(' ')
  if (signUp.mode === 'closed') {
    const summary = op.summary.replace(/\.$/, ': closed on this server.')
    return { ...op, signUp, summary, description: told(closedSignUp(op, signUp)) }
  }
  const invitation = Invitation.unwrap().describe('An invitation code: nobody comes in without.')
  return {
    ...op,
    signUp,
    summary: op.summary.replace(/\.$/, ', by invitation.'),
    description: told(uninvited(op, signUp)),
    input: op.input.safeExtend({ invitation }),
    example: { ...op.example, invitation: 'YOUR_INVITATION' },
  }
}

/** Whom to ask for what a server does not give to everybody, in one sentence. */
export function whomToAsk({ contact }: Pick<SignUp, 'contact'>): string {
  return `Ask whoever runs this server${contact === undefined ? '' : ` (${contact})`}.`
}

/** What a server gives by itself, in the words of its refusal. */
export function givenBy(op: Pick<OperationFacts, 'toolsets'>): string {
  return isOfCommons(op) ? 'handles' : 'accounts'
}

/** Nobody gets an account there. */
export function closedSignUp(op: Pick<OperationFacts, 'toolsets'>, signUp: SignUp): Refusal {
  return new Refusal('sign_up_closed', `This server gives no new ${givenBy(op)}.`, {
    hint: `Whoever runs it has closed sign-up. ${whomToAsk(signUp)}`,
  })
}

/** Nobody gets an account there without an invitation, and the call has none. */
export function uninvited(op: Pick<OperationFacts, 'toolsets'>, signUp: SignUp): Refusal {
  return new Refusal('sign_up_closed', `This server gives ${givenBy(op)} by invitation only.`, {
    hint: `Send an invitation code as the member "invitation". ${whomToAsk(signUp)}`,
  })
}

/** The same answer whether a code never was one, has expired or was used up: guesses learn nothing. */
export function unknownInvitation(signUp: SignUp, cause?: unknown): Refusal {
  return new Refusal('sign_up_closed', 'This invitation admits nobody, or nobody any more.', {
    hint: `A code works for a time and a number of uses: look whether all of it was copied, or get another. ${whomToAsk(signUp)}`,
    cause,
  })
}

/** How the operations of a catalog take newcomers. */
export function signUpOf(catalog: readonly OperationFacts[]): SignUp {
  return catalog.find((op) => op.signUp !== undefined)?.signUp ?? openSignUp
}

const asHeader = '"Authorization: Bearer ab_…"'

/**
 * How to get a key there and where it goes, in words.
 * @param address where the service is reached; empty for paths alone
 */
export function howToGetKey(signUp: SignUp, address: string): string {
  const claim = `POST ${address}/api/agent-claim`
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `${claim} gives one in one call; send it as ${asHeader}.`,
    invited: `${claim} gives one for an invitation code, sent as "invitation"; send the key as ${asHeader}. ${whomToAsk(signUp)}`,
    closed: `This server gives no new ones; send one that you have as ${asHeader}. ${whomToAsk(signUp)}`,
  }
  return said[signUp.mode]
}

/** The same of a handle of the Commons. */
export function howToGetHandle(signUp: SignUp, address: string): string {
  const make = `GET ${address}/api/commons/challenge, then POST ${address}/api/commons/identities`
  const send = 'send its token as "Authorization: Bearer cmn_…".'
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `${make}, gives a handle; ${send}`,
    invited: `${make} with an invitation code as "invitation", gives a handle; ${send} ${whomToAsk(signUp)}`,
    closed: `This server gives no new handles; of one that you have, ${send} ${whomToAsk(signUp)}`,
  }
  return said[signUp.mode]
}
