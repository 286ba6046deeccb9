import type { Answer, Kept } from '../answer.ts'
import type { Call } from '../door.ts'
import { Refusal } from '../errors.ts'
import { bodyBytesAtMost, beginsSession, isRead } from '../operation-facts.ts'
import { type Operation } from '../operation.ts'
import { withFiles } from '../input/upload.ts'
import { isShut } from './newcomers.ts'
import { walk, type Walked } from '../input/walk.ts'

/** Why a token is good no more, where a call has ended it. */
export function isEndedToken(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === 'token_revoked'
}

/** Whether a call is refused for a credential that opens nothing. */
export function isWrongCredential(cause: unknown): boolean {
  return cause instanceof Refusal && cause.code === 'invalid_credential'
}

/** The input with its files decoded and its texts in order. */
export function walkedInput({ operation: op, input: sent }: Call): Walked {
  const input = isShut(op) ? {} : sent
  // A text has no names and marks of its own, and may fill the body before the address is counted.
  const besides = op.http.raw ? 2000 : 0
  const charactersAtMost = (op.bodyBytes ?? bodyBytesAtMost) + besides
  // Decoded first: base64 of megabytes is no text that has to be normalised.
  const decoded = op.files ? withFiles(input, op.files.member) : input
  return walk(decoded, { verbatim: op.verbatim === true, charactersAtMost })
}

/** Clients that are asked to pay make the same call again, under the same key. */
export function paysIn({ pays }: Operation, input: unknown): boolean {
  return pays !== undefined && typeof input === 'object' && input !== null && pays in input
}

/** Of an answer that is kept, and a refusal all the same. */
export function refusalOf({ code, message, hint }: Kept, { text }: Answer): Refusal {
  // The answer of an operation is an object.
  const members = JSON.parse(text) as Record<string, unknown>
  return new Refusal(code, message, { ...(hint !== undefined && { hint }), members })
}

/** Whether it may leave something with the account: what concerns the person alone does not. */
export function fillsAccount(op: Operation): boolean {
  if (op.auth === 'person' || beginsSession(op)) return false
  return !isRead(op) && op.http.method !== 'DELETE'
}
