import type { Answer, Kept } from '../answer.ts'
import type { Call } from '../door.ts'
import { Refusal } from '../errors.ts'
import { bodyBytesAtMost, beginsSession, isRead } from '../operation-facts.ts'
import { type Operation } from '../operation.ts'
import { withFiles } from '../input/upload.ts'
import { digest } from '../ids.ts'
import { callerName, type Caller } from './caller.ts'
import { remembered, type Remembered } from './idempotency.ts'
import { isShut } from './newcomers.ts'
import { walk, type Walked, walkSteps, type WalkTerms } from '../input/walk.ts'
import type { Clock } from '#src/ports/clock.ts'
import { heavyNodes } from '../input/bounds.ts'
import { hasAtMost } from '../input/check.ts'
import { inPortions } from '../turns/portions.ts'

/** Whether the call was refused because its token has been replaced. */
export function isEndedToken(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === 'token_revoked'
}

/** Whether the call was refused because its credential is not valid. */
export function isWrongCredential(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === 'invalid_credential'
}

/** The input with its files decoded and its texts normalised; a large one in turns of the event loop. */
export async function walkedInput(
  { operation: op, input: sent }: Call,
  clock: Pick<Clock, 'turn' | 'monotonic'>,
): Promise<Walked> {
  const input = isShut(op) ? {} : sent
  // A raw body may reach the limit by itself; the members of its address come in addition.
  const outsideBody = op.http.raw ? 2000 : 0
  const charactersAtMost = (op.bodyBytes ?? bodyBytesAtMost) + outsideBody
  // Files are decoded first: megabytes of base64 are not text to normalise.
  const decoded = op.files ? withFiles(input, op.files.member) : input
  const terms: WalkTerms = { verbatim: op.verbatim === true, charactersAtMost }
  if (hasAtMost(decoded, heavyNodes)) return walk(decoded, terms)
  return inPortions(walkSteps(decoded, terms), clock)
}

/** Whether the call pays: a client that is asked to pay repeats its call under the same key. */
export function paysIn({ pays }: Operation, input: unknown): boolean {
  return pays !== undefined && typeof input === 'object' && input !== null && pays in input
}

/** The refusal that an answer was kept with. */
export function refusalOf({ code, message, hint }: Kept, { text }: Answer): Refusal {
  // The answer of an operation is an object.
  const members = JSON.parse(text) as Record<string, unknown>
  return new Refusal(code, message, { ...(hint !== undefined && { hint }), members })
}

/** Whether it may store something for the account; an operation on the person alone does not. */
export function fillsAccount(op: Operation): boolean {
  if (op.auth === 'person' || beginsSession(op)) return false
  return !isRead(op) && op.http.method !== 'DELETE'
}

/** The record under which the answer of a call is kept, if it has an idempotency key. */
export function memoryOf(call: Call, caller: Caller, input: unknown): Remembered | undefined {
  const { operation: op, idempotencyKey: key } = call
  if (key === undefined || op.http.method !== 'POST' || op.unkept) return undefined
  const owner =
    op.endsToken && call.credential !== undefined
      ? `token:${digest(call.credential)}`
      : callerName(caller, call.address)
  // Someone who has stolen the token must not guess the key under which its replacement is kept.
  const isKeyed = caller.kind !== 'anonymous' && !op.endsToken
  const whose = paysIn(op, input) ? `${owner}:paying` : owner
  return remembered(key, { owner: whose, isKeyed, accountId: caller.accountId }, op, input)
}
