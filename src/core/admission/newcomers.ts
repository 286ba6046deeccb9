import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import type { Answer } from '../answer.ts'
import type { Call } from '../door.ts'
import { Refusal } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { SignUp } from './sign-up-mode.ts'
import { unknownInvitation, type Invitations } from './sign-up.ts'
import type { Remembered } from './idempotency.ts'

/** What an operation gets to end with: what was sent, and the writes that admission adds. */
export interface Ending {
  /** The input as it was understood, before its schema filled in what it lacked. */
  sent: unknown
  memory: Remembered | undefined
  kept: { isRecorded: boolean }
  /** What a newcomer has used up. */
  used: readonly Write[]
}

/** For callers that use no invitation: nothing is used up. */
export const freely: readonly Write[] = []

/** Whether the server gives it to no one, so that its input is not even looked at. */
export function isShut({
  signUp,
  admitsInvited,
}: Pick<Operation, 'signUp' | 'admitsInvited'>): boolean {
  return signUp?.mode === 'closed' && !admitsInvited
}

/**
 * What a newcomer uses up, or the kept answer if this same call has already used up the invitation.
 * @param kept looks for the kept answer
 * @throws Refusal `sign_up_closed`, `rate_limited`
 */
export async function admission(
  { operation: op, address }: Pick<Call, 'operation' | 'address'>,
  invitations: Invitations,
  input: unknown,
  kept: () => Promise<Answer | undefined>,
): Promise<readonly Write[] | Answer> {
  if (op.signUp?.mode === 'open') return freely
  try {
    return await invitations.admit(op, input, address)
  } catch (cause) {
    if (!(cause instanceof Refusal) || isShut(op)) throw cause
    const answer = await kept()
    if (!answer) throw cause
    return answer
  }
}

/**
 * Commits the writes of an operation after others that it does not know of.
 * @throws Unmet numbered without those others; Refusal `sign_up_closed` where one of them is not met: another
 *   newcomer with the same invitation was faster
 */
export async function commitBehind(
  first: readonly Write[],
  writes: readonly Write[],
  store: Pick<Store, 'commit'>,
  signUp: SignUp,
): Promise<void> {
  await store.commit([...first, ...writes]).catch((cause: unknown) => {
    if (!(cause instanceof Unmet)) throw cause
    if (cause.index < first.length) throw unknownInvitation(signUp, cause)
    throw new Unmet(cause.in, cause.index - first.length)
  })
}
