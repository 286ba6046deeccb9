import { hash } from 'node:crypto'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import type { ReadFailure } from './failure.ts'
import { bytesAnItem, type StoredItem } from './item.ts'
import type { Fetched } from './fetch.ts'
import { counted } from './library.ts'

/** The pauses before an item that could not be read is tried again, in seconds. */
export const tryAgainSeconds = [5, 60, 600] as const
/** The longest pause that the other side can ask for, in seconds. */
const retryAfterAtMost = 3600

const refreshSeconds = { none: null, daily: 86_400, weekly: 604_800 } as const
/** By how much a refresh comes later at most, as a fraction of its interval; fixed for each item. */
const spreadPart = 0.1

/** The members that every end of a reading sets. */
function rested(item: StoredItem, now: Date) {
  return {
    queue: null,
    due_at: null,
    claim: null,
    attempts: 0,
    settled_at: timestamp(now),
    updated_at: timestamp(now),
    refresh_at: refreshAt(item, now),
  }
}

function refreshAt({ id, refresh }: StoredItem, now: Date): string | null {
  const seconds = refreshSeconds[refresh]
  if (seconds === null) return null
  const share = Number.parseInt(hash('sha256', id, 'hex').slice(0, 8), 16) / 0xffffffff
  return secondsAfter(now, Math.round(seconds * (1 + spreadPart * share)))
}

/** The write that ends a reading; it fails the commit (`Unmet`) for a reader that has lost the claim. */
export function endWrite(item: StoredItem, now: Date, more: Partial<StoredItem>): Write {
  const { id, claim } = item
  const change = { $set: { ...rested(item, now), ...more }, $inc: { turn: 1 } }
  return { in: 'knowledge_items', update: { id, claim }, change }
}

/** What a reading has found out about the material. */
export function factsOf({ bytes, sha256, etag, last_modified }: Fetched, now: Date) {
  return { bytes, sha256, etag, last_modified, fetched_at: timestamp(now) }
}

/** Settles an item whose text is unchanged. */
export async function settleUnchanged(
  ports: Ports,
  item: StoredItem,
  seen: Fetched,
  now: Date,
): Promise<void> {
  const facts = factsOf(seen, now)
  await settled(ports, [endWrite(item, now, { ...facts, status: 'unchanged', error: null })])
}

/** Settles an item that could not be read: it is retried, or has failed. Its previous text is still found. */
export async function settleFailed(
  ports: Ports,
  item: StoredItem,
  failure: ReadFailure,
  now: Date,
): Promise<void> {
  const { code, message, isTransient, retryAfter = 0 } = failure
  const error = { code, message }
  const pause = tryAgainSeconds[item.attempts - 1]
  if (isTransient && pause !== undefined) {
    const due_at = secondsAfter(now, Math.max(pause, Math.min(retryAfter, retryAfterAtMost)))
    const waiting = { status: 'queued', error, claim: null, due_at } as const
    const { id, claim } = item
    const change = { $set: { ...waiting, updated_at: timestamp(now) }, $inc: { turn: 1 } }
    await settled(ports, [{ in: 'knowledge_items', update: { id, claim }, change }])
    return
  }
  // An upload that cannot be read is not kept, and no longer counts.
  const weight = item.upload ? bytesAnItem : item.weight
  const bytes = weight - item.weight
  const failed = { status: 'failed', error, weight, upload: false } as const
  const writes = [endWrite(item, now, failed)]
  if (bytes !== 0) writes.push(counted({ id: item.char_id, shelf: item.shelf }, { bytes }))
  if (!(await settled(ports, writes)) || !item.upload) return
  ports.quotas.addBytes(item.owner_id, bytes)
  // A file without an item is swept in any case.
  await ports.files.delete([item.id]).catch(() => undefined)
}

/** Commits the end of a reading; false if the item was deleted, queued again or taken over. */
async function settled({ store }: Ports, writes: Write[]): Promise<boolean> {
  try {
    await store.commit(writes)
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}
