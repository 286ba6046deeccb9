import type { Ports } from '#src/core/context.ts'
import { Unavailable } from '#src/ports/store.ts'
import { readFailure, ReadFailure } from './failure.ts'
import type { StoredItem } from './item.ts'
import { fetched } from './fetch.ts'
import { leftOutOf } from './listed.ts'
import { settleFailed, settleUnchanged, tryAgainSeconds } from './finish-read.ts'
import { shelve } from './index-item.ts'
import { unfolded } from './sitemap-index.ts'

/**
 * Reads a claimed item to its end: it is indexed, unchanged, failed, or waits for another try.
 * @throws Unavailable, or the reason of the signal once it is aborted: then the claim stays as it was
 */
export async function readItem(ports: Ports, item: StoredItem, signal: AbortSignal): Promise<void> {
  try {
    await readWhole(ports, item, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof Unavailable) throw cause
    const failure = readFailure(cause) ?? ofOurs(ports, item, cause)
    await settleFailed(ports, item, failure, await ports.store.now())
  }
}

async function readWhole(ports: Ports, item: StoredItem, signal: AbortSignal): Promise<void> {
  if (item.attempts > tryAgainSeconds.length + 1) {
    throw new ReadFailure('worker_lost', 'Its readers were lost several times.')
  }
  const seen = await fetched(ports, item, signal)
  signal.throwIfAborted()
  if (!seen.material) return settleUnchanged(ports, item, seen, await ports.store.now())
  const extract = await unlessAborted(ports.extractor.extract(seen.material), signal)
  if (extract.linksTo !== 'sitemaps') {
    const left_out = await leftOutOf(ports, item, seen.material.url, extract.links)
    return shelve(ports, item, seen, { ...extract, left_out }, signal)
  }
  const whole = await unlessAborted(unfolded(ports, item, seen, extract, signal), signal)
  if (item.edition !== null && whole.seen.sha256 === item.sha256) {
    return settleUnchanged(ports, item, whole.seen, await ports.store.now())
  }
  const { links, left_out } = whole
  await shelve(ports, item, whole.seen, { ...extract, links, left_out }, signal)
}

/** Work that cannot be stopped may go on, but its result is ignored. */
function unlessAborted<T>(working: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  return Promise.race([working, promise]).finally(() => signal.removeEventListener('abort', leave))
}

function ofOurs({ log }: Ports, { id, char_id }: StoredItem, cause: unknown): ReadFailure {
  log.error('an item of knowledge could not be read', { item_id: id, char_id, cause })
  const message = 'The server failed to read this item.'
  return new ReadFailure('internal_error', message, { cause, isTransient: true })
}
