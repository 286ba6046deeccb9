import { call } from '#src/core/words/reference.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { DuplicateKey, type Store, type Write } from '#src/ports/store.ts'
import { fingerprintOf, isNearlySame, sketchOf } from '../duplicates.ts'
import { mentionsIn } from '../mentions.ts'
import type { Fingerprint, TargetType } from '../records.ts'
import { noSecrets } from '../secret-scan.ts'

/** How long the same text is refused, from any author. */
const fingerprintHours = 24
/** How many of the author's latest posts are checked for near repeats. */
const latestAtMost = 20

/** A thread or reply that is about to be written, or to be changed by its author. */
export interface Posting {
  /** What is scanned for credentials, by the JSON Pointer of its member. */
  texts: Readonly<Record<string, string | undefined>>
  /** The text to check for repeats and mentions. */
  body: string
  kind: TargetType
  /** Its id: a post is no repeat of itself. */
  targetId: string
  /** Of the author. */
  handle: string
  now: Date
}

/** The result for a posting that may be kept. */
export interface Posted {
  /** To be kept with it, to compare the author's next posting with. */
  sketch: string
  /** For its commit, whose failure goes to `asDuplicate`. */
  writes: Write[]
  /** Handles that its body mentions; whether they exist is not looked up. */
  mentioned: string[]
}

/**
 * Checks a text before it is posted. Nothing is kept of a refused one.
 * @throws Refusal `secret_detected`, or `duplicate_content`: the same text was posted within 24 hours
 * by any author, or nearly the same is among the author's latest 20
 */
export async function posted({ store }: Pick<Ports, 'store'>, posting: Posting): Promise<Posted> {
  const { texts, body, targetId, handle, now } = posting
  noSecrets(texts)
  const id = fingerprintOf(body, handle)
  const sketch = sketchOf(body)
  const [known, latest] = await Promise.all([
    store.commons_fingerprints.get(id),
    sketch === '' ? [] : latestOf(store, posting),
  ])
  const isExpired = known !== undefined && known.expires_at <= timestamp(now)
  if (known && !isExpired && known.target_id !== targetId) await duplicateOf(store, known.target_id)
  const near = latest.find((one) => one.id !== targetId && isNearlySame(one.sketch, sketch))
  if (near) await duplicateOf(store, near.id)
  const expires_at = secondsAfter(now, fingerprintHours * 3600)
  const insert: Fingerprint = { id, target_id: targetId, handle, expires_at }
  const writes: Write[] = []
  if (isExpired) {
    writes.push({ in: 'commons_fingerprints', delete: { id, expires_at: known.expires_at } })
  }
  if (!known || isExpired) writes.push({ in: 'commons_fingerprints', insert })
  return { sketch, writes, mentioned: mentionsIn(body) }
}

async function latestOf(
  store: Store,
  { kind, handle }: Posting,
): Promise<{ id: string; sketch: string }[]> {
  const own = { 'author.handle': handle }
  const options = { sort: { id: -1 }, limit: latestAtMost } as const
  return kind === 'thread'
    ? store.commons_threads.find(own, options)
    : store.commons_replies.find(own, options)
}

/**
 * Handles the failed commit of a posting: of two that post the same at once, one is refused.
 * @throws Refusal `duplicate_content`, otherwise the cause itself
 */
export function asDuplicate(cause: unknown): never {
  if (cause instanceof DuplicateKey && cause.in === 'commons_fingerprints') {
    return duplicate('', cause)
  }
  throw cause
}

/** @throws Refusal `duplicate_content` always, with the thread where the same text is read */
async function duplicateOf(store: Ports['store'], id: string): Promise<never> {
  const reply = id.startsWith('rep_') ? await store.commons_replies.get(id) : undefined
  const there = call('commons.threads.get', { thread_id: reply?.thread_id ?? id })
  return duplicate(`${there} shows ${reply ? `${id} in its thread` : 'it'}. `)
}

function duplicate(seen: string, cause?: unknown): never {
  return refuse(
    'duplicate_content',
    'The same text, or nearly the same, has already been posted.',
    {
      hint: `${seen}Write what is new in it, or edit what you posted.`,
      cause,
    },
  )
}

/** The writes that let a text be posted again, for the commit in which its author deletes it. */
export function forgotten(targetId: string, handle: string, body: string | null): Write[] {
  if (body === null) return []
  const id = fingerprintOf(body, handle)
  return [{ in: 'commons_fingerprints', delete: { id, target_id: targetId } }]
}
