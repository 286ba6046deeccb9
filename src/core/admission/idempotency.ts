import type { Store } from '#src/ports/store.ts'
import { Answer, type Kept } from '../answer.ts'
import { Refusal } from '../errors.ts'
import { insertedInto, type Effect } from '../effects.ts'
import { answersOf } from '../counts/quotas.ts'
import { digest } from '../ids.ts'
import { isMap } from '../maps.ts'
import type { Operation } from '../operation.ts'
import { sealer } from '../seal.ts'
import { hintFor } from '../commons/codes.ts'

/** The answer to an idempotency key, kept for a day. */
export interface IdempotencyRecord {
  /** Whose key it is, and the key. */
  id: string
  /** SHA-256 of operation and input. */
  fingerprint: string
  text: string
  /** The text holds a secret: it is sealed under the idempotency key itself, which is not kept. */
  sealed: boolean
  pending: boolean
  revision: number | null
  /** The notice that came with the answer, if there was one. */
  notice?: string
  /** The refusal, where the writes of the call were kept all the same. */
  refused?: Kept
  at: string
  /** The account or caller whose bytes it counts for, and how many; missing in older records. */
  counts_for?: string
  bytes?: number
}

/** How long an answer is kept for its key, in hours. */
export const idempotencyHours = 24

/** An idempotency key with the call that it stands for. */
export interface Remembered {
  key: string
  id: string
  fingerprint: string
  secret: boolean
  /** Whose stored bytes the kept answer counts for: the account, or else the caller. */
  countsFor: string
}

/** Bytes of a record in addition to the answer. */
const recordBytes = 500

const acceptable = /^[\x21-\x7e]{1,255}$/
/** A whole network shares an address, so a key that returns a secret must not be guessable. */
const unguessable = 16

/** The owner of an idempotency key: an API key, or else an address. */
export interface KeyOwner {
  owner: string
  isKeyed: boolean
  /** The account that the kept answer counts for, if there is one. */
  accountId?: string | undefined
}

/** Sorts the members: each door builds the input in its own order. */
function inOrder(input: unknown): unknown {
  if (!isMap(input)) return input
  return Object.fromEntries(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * @param key the caller's key: 1 to 255 visible ASCII characters
 * @param input the parsed input
 * @throws Refusal `idempotency_key_invalid`
 */
export function remembered(
  key: string,
  { owner, isKeyed, accountId }: KeyOwner,
  op: Pick<Operation, 'name' | 'secret'>,
  input: unknown,
): Remembered {
  if (!acceptable.test(key)) {
    throw new Refusal(
      'idempotency_key_invalid',
      'An idempotency key is 1 to 255 visible ASCII characters.',
      { hint: 'Use a random UUID, and the same one only to send the same call again.' },
    )
  }
  if (!isKeyed && op.secret && key.length < unguessable) {
    throw new Refusal(
      'idempotency_key_invalid',
      `Without an API key, an idempotency key for a secret has at least ${unguessable} characters.`,
      { hint: 'Others could guess a short one: use a random UUID.' },
    )
  }
  // Only a digest of the key is kept: the seal of a secret answer opens with the key itself.
  const id = `${owner}:${digest(key)}`
  const fingerprint = digest(`${op.name}\n${JSON.stringify(inOrder(input))}`)
  const countsFor = accountId ?? answersOf(owner)
  return { key, id, fingerprint, secret: op.secret === true, countsFor }
}

/** The record from which a repeat of this call gets the same answer. */
export function recordOf(call: Remembered, answer: Answer, now: Date): IdempotencyRecord {
  const binding = { id: call.id, purpose: 'idempotency' }
  const text = call.secret ? sealer(call.key).seal(answer.text, binding) : answer.text
  return {
    id: call.id,
    fingerprint: call.fingerprint,
    text,
    sealed: call.secret,
    pending: answer.pending,
    revision: answer.revision ?? null,
    ...(answer.notice !== undefined && { notice: answer.notice }),
    ...(answer.refused && { refused: answer.refused }),
    at: now.toISOString(),
    counts_for: call.countsFor,
    bytes: recordBytes + text.length,
  }
}

/** Counts the answers that are kept for idempotency keys. */
export const countAnswers: Effect = ({ quotas }, writes) => {
  for (const { counts_for, bytes = 0 } of insertedInto('idempotency', writes)) {
    if (counts_for !== undefined) quotas.addBytes(counts_for, bytes)
  }
}

/**
 * The kept answer, or undefined when the key is new.
 * @throws Refusal `idempotency_conflict` when the key was used for another call
 */
export async function replay(store: Store, call: Remembered): Promise<Answer | undefined> {
  const record = await store.idempotency.get(call.id)
  if (!record) return undefined
  if (record.fingerprint !== call.fingerprint) {
    throw new Refusal(
      'idempotency_conflict',
      'This idempotency key was used for another operation or another input.',
      { hint: hintFor('idempotency_conflict') },
    )
  }
  const binding = { id: call.id, purpose: 'idempotency' }
  const text = record.sealed ? sealer(call.key).open(record.text, binding) : record.text
  const { pending, revision, notice, refused } = record
  return new Answer(text, { pending, revision: revision ?? undefined, notice, refused })
}
