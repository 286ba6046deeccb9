import * as z from 'zod'
import type { Write } from '#src/ports/store.ts'
import { Refusal } from '../errors.ts'
import { isOfCommons, type OperationFacts } from '../operation-facts.ts'
import type { Settings } from '../settings.ts'
import { openSignUp, type SignUp, type SignUpMode } from './sign-up-mode.ts'

/** The input member with which a newcomer is admitted. */
export const Invitation = z
  .string()
  .max(200)
  .optional()
  .describe('An invitation code, where the server admits by invitation; elsewhere it is ignored.')

/** Decides who is admitted, where sign-up is not open to all. */
export interface Invitations {
  /**
   * Checks what a newcomer sends before the rest of the input is looked at, and uses nothing up.
   * @param address whom failed guesses count for
   * @returns the writes that use it up, for the commit of the call
   * @throws Refusal `sign_up_closed`, `rate_limited`
   */
  admit(
    op: Pick<OperationFacts, 'name' | 'toolsets' | 'admitsInvited'>,
    input: unknown,
    address: string,
  ): Promise<readonly Write[]>
}

/** The operations as newcomers find them here, so that all documents about them are true. */
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
  const invitation = Invitation.unwrap().describe('An invitation code; required.')
  return {
    ...op,
    signUp,
    summary: op.summary.replace(/\.$/, ', by invitation.'),
    description: told(uninvited(op, signUp)),
    input: op.input.safeExtend({ invitation }),
    example: { ...op.example, invitation: 'YOUR_INVITATION' },
  }
}

/** Whom to ask for what a server does not give to everyone, in one sentence. */
export function whomToAsk({ contact }: Pick<SignUp, 'contact'>): string {
  return `Ask the operator of this server${contact === undefined ? '' : ` (${contact})`}.`
}

/** What a server gives to newcomers, as a refusal words it. */
export function givenBy(op: Pick<OperationFacts, 'toolsets'>): string {
  return isOfCommons(op) ? 'handles' : 'accounts'
}

/** The refusal where sign-up is closed. */
export function closedSignUp(op: Pick<OperationFacts, 'toolsets'>, signUp: SignUp): Refusal {
  return new Refusal('sign_up_closed', `This server gives no new ${givenBy(op)}.`, {
    hint: `The operator has closed sign-up. ${whomToAsk(signUp)}`,
  })
}

/** The refusal where sign-up needs an invitation and the call has none. */
export function uninvited(op: Pick<OperationFacts, 'toolsets'>, signUp: SignUp): Refusal {
  return new Refusal('sign_up_closed', `This server gives ${givenBy(op)} by invitation only.`, {
    hint: `Send an invitation code as the member "invitation". ${whomToAsk(signUp)}`,
  })
}

/** The same answer for a code that never existed, has expired or is used up: guesses learn nothing. */
export function unknownInvitation(signUp: SignUp, cause?: unknown): Refusal {
  return new Refusal('sign_up_closed', 'This invitation is not valid, or no longer valid.', {
    hint: `A code is valid for a time and a number of uses: check that you copied all of it, or get another. ${whomToAsk(signUp)}`,
    cause,
  })
}

/** How the operations of a catalog admit newcomers. */
export function signUpOf(catalog: readonly OperationFacts[]): SignUp {
  return catalog.find((op) => op.signUp !== undefined)?.signUp ?? openSignUp
}

const asHeader = '"Authorization: Bearer ab_…"'

/**
 * How to get a key there and where it goes, in words.
 * @param address where the service is reached; empty for paths alone
 */
export function howToGetKey(signUp: SignUp, address: string): string {
  return keyBy(`POST ${address}/api/agent-claim`, signUp)
}

function keyBy(claim: string, signUp: SignUp): string {
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `${claim} gives one in one call; send it as ${asHeader}.`,
    invited: `${claim} gives one for an invitation code, sent as "invitation"; send the key as ${asHeader}. ${whomToAsk(signUp)}`,
    closed: `This server gives no new ones; send one that you have as ${asHeader}. ${whomToAsk(signUp)}`,
  }
  return said[signUp.mode]
}

/** The same for a refusal. */
export function wayToKey(signUp: SignUp): string {
  return keyBy('<agent_claim.create>', signUp)
}

/** The hint of `unauthenticated` for what a key gives access to. */
export function keyHint({ signUp }: Pick<Settings, 'signUp'>): string {
  return `It takes an API key. ${wayToKey(signUp)}`
}

/** How to get a handle of the Commons. @param address as for a key */
export function howToGetHandle(signUp: SignUp, address: string): string {
  const make = `GET ${address}/api/commons/challenge, then POST ${address}/api/commons/identities`
  return handleBy(make, signUp)
}

/** The same for a refusal. */
export function wayToHandle(signUp: SignUp): string {
  return handleBy('<commons.challenge.get>, then <commons.identities.create>', signUp)
}

function handleBy(make: string, signUp: SignUp): string {
  const send = 'send its token as "Authorization: Bearer cmn_…".'
  const said: Readonly<Record<SignUpMode, string>> = {
    open: `${make}, gives a handle; ${send}`,
    invited: `${make} with an invitation code as "invitation", gives a handle; ${send} ${whomToAsk(signUp)}`,
    closed: `This server gives no new handles; of one that you have, ${send} ${whomToAsk(signUp)}`,
  }
  return said[signUp.mode]
}
