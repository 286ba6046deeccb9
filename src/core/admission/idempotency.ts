import type { Store } from '#src/ports/store.ts'
import { Answer, type Kept } from '../answer.ts'
import { Refusal } from '../errors.ts'
import { insertedInto, type Effect } from '../effects.ts'
import { answersOf } from '../counts/quotas.ts'
import { digest } from '../ids.ts'
import { isMap } from '../maps.ts'
import type { Operation } from '../operation.ts'
import { sealer } from '../seal.ts'

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
  /** What the caller was told beside the answer, where there was something. */
  notice?: string
  /** What it was refused with, where what was made is kept all the same. */
  refused?: Kept
  at: string
  /** Against whose bytes it counts, and how many; missing in records of before. */
  counts_for?: string
  bytes?: number
}

/** How long an answer is kept for its key, in hours. */
export const idempotencyHours = 24

/** An idempotency key with what it stands for. */
export interface Remembered {
  key: string
  id: string
  fingerprint: string
  secret: boolean
  /** Against whose bytes what is kept counts: an account, or else whoever calls. */
  countsFor: string
}

/** What a record takes beside the answer. */
const recordBytes = 500

const acceptable = /^[\x21-\x7e]{1,255}$/
/** An address is shared by a whole network, so a key that gives a secret back must not be guessed. */
const unguessable = 16

/** Whose idempotency key it is: a key of ours, or else an address. */
export interface KeyOwner {
  owner: string
  isKeyed: boolean
  /** The account that what is kept counts for, where there is one. */
  accountId?: string | undefined
}

/** Each door puts the members of an input together in an order of its own. */
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

/** The record that makes a repeat of this call answer the same. */
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
 * @throws Refusal `idempotency_conflict` when the key stood for something else
 */
export async function replay(store: Store, call: Remembered): Promise<Answer | undefined> {
  const record = await store.idempotency.get(call.id)
  if (!record) return undefined
  if (record.fingerprint !== call.fingerprint) {
    throw new Refusal(
      'idempotency_conflict',
      'This idempotency key was used for another operation or another input.',
      { hint: 'Use one key for each intended effect, and the same one only to retry it.' },
    )
  }
  const binding = { id: call.id, purpose: 'idempotency' }
  const text = record.sealed ? sealer(call.key).open(record.text, binding) : record.text
  const { pending, revision, notice, refused } = record
  return new Answer(text, { pending, revision: revision ?? undefined, notice, refused })
}
