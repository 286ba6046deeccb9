import { ownerOf } from '#src/core/counts/quota-table.ts'
import type { Ports } from '#src/core/context.ts'
import { Refusal } from '#src/core/errors.ts'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import { emitted } from '#src/events/emit.ts'
import type { Chunk, Extract } from '#src/ports/extractor.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import { ReadFailure, tooManyChunks } from './failure.ts'
import {
  bytesAnItem,
  chunkId,
  chunksAtMost,
  editionMark,
  pageOf,
  plainTitle,
  type LeftOut,
  type StoredChunk,
  type StoredItem,
} from './item.ts'
import { listPages } from './listed.ts'
import type { Fetched } from './fetch.ts'
import { continueWrite, draftWrite, finishWrites, remainsWrite } from './purge.ts'
import { endWrite, factsOf } from './finish-read.ts'
import { counted, shelfOf } from './library.ts'

/** Chunks of one commit, and their characters: as much as one turn of the event loop can carry. */
const chunksAtOnce = 50
const charactersAtOnce = 49_152

/** What was read, with what was not. */
type Read = Extract & { left_out: LeftOut | null }

/**
 * Replaces what is known of the item by what was read: writes the chunks, commit by commit, and then the
 * item, after which they are found instead of the old ones.
 * @throws ReadFailure, Unavailable, or the reason of the signal once it is aborted
 */
export async function shelve(
  ports: Ports,
  item: StoredItem,
  seen: Fetched,
  extract: Read,
  signal: AbortSignal,
): Promise<void> {
  const { store } = ports
  const { chunks, links } = extract
  const shelf = await shelfOf(store, item.char_id, item.owner_id)
  if (shelf?.shelf !== item.shelf) return
  if (shelf.chunks - item.chunks + chunks.length > chunksAtMost) throw tooManyChunks(chunksAtMost)
  await needSpace(ports, item)
  if (!(await listPages(ports, item, links, seen.material?.url ?? null))) return
  const edition = `${item.shelf}/${newId('edn')}`
  await store.commit([draftWrite(edition, await store.now())])
  try {
    await insertAll(ports, item, edition, chunks, signal)
    await finish(ports, item, { edition, seen, extract })
  } catch (cause) {
    // If this fails too, the purge comes by itself, only later.
    const now = { $set: { due_at: timestamp(await store.now()) } }
    await store.knowledge_remains.update({ id: edition }, now).catch(() => undefined)
    // Another reader has it now: there is nothing to report.
    if (!(cause instanceof Unmet)) throw cause
  }
}

async function needSpace({ store, quotas }: Ports, { owner_id }: StoredItem): Promise<void> {
  const account = await store.accounts.get(owner_id)
  const owner = ownerOf(owner_id, account)
  try {
    await quotas.admit('stored_bytes', owner)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw new ReadFailure('quota_exceeded', cause.message, { cause })
  }
}

async function insertAll(
  { store, clock }: Ports,
  item: StoredItem,
  edition: string,
  chunks: readonly Chunk[],
  signal: AbortSignal,
): Promise<void> {
  const writes: Write[] = []
  let characters = 0
  for (const [position, chunk] of chunks.entries()) {
    writes.push({ in: 'knowledge_chunks', insert: stored(item, edition, position, chunk) })
    characters += chunk.text.length
    const isLast = position === chunks.length - 1
    if (!isLast && writes.length < chunksAtOnce && characters < charactersAtOnce) continue
    const some = writes.splice(0)
    characters = 0
    await inTurn(store, async () => {
      signal.throwIfAborted()
      await store.commit([continueWrite(edition, await store.now()), ...some])
      // Let waiting requests go first.
      await clock.turn()
    })
  }
}

const turns = new WeakMap<Store, Promise<unknown>>()

/** One after the other in this process: concurrent writes would share one turn of the event loop. */
function inTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const before = turns.get(store) ?? Promise.resolve()
  const working = before.then(work)
  turns.set(
    store,
    working.catch(() => undefined),
  )
  return working
}

function stored(
  { id: item_id, shelf }: StoredItem,
  edition: string,
  position: number,
  { heading, place, text }: Chunk,
): StoredChunk {
  const under = { id: chunkId(edition, position), shelf, edition: editionMark(edition), item_id }
  return { ...under, position, heading, place, text }
}

interface Finished {
  edition: string
  seen: Fetched
  extract: Read
}

async function finish(ports: Ports, item: StoredItem, made: Finished): Promise<void> {
  const { store, quotas } = ports
  const { edition, seen, extract } = made
  const { title: own, mediaType, chunks, left_out } = extract
  const now = await store.now()
  const title = item.is_named ? item.title : (plainTitle(own ?? '') ?? item.title)
  const weight = chunks.reduce(
    (sum, { text, heading }) => sum + text.length + (heading?.length ?? 0),
    bytesAnItem,
  )
  const growth = { chunks: chunks.length - item.chunks, bytes: weight - item.weight }
  const told = await indexedEvent(ports, item, title, chunks.length, now)
  const writes = [
    endWrite(item, now, {
      ...factsOf(seen, now),
      status: 'indexed',
      error: null,
      title,
      media_type: mediaType,
      left_out,
      chunks: chunks.length,
      edition,
      embedded: chunks.length > 0 ? '' : null,
      upload: false,
      weight,
    }),
    counted({ id: item.char_id, shelf: item.shelf }, growth, { chunks: chunksAtMost }),
    ...finishWrites(edition, now),
    ...(item.edition === null ? [] : [remainsWrite(item.edition, now)]),
    ...told,
  ]
  try {
    await store.commit(writes)
  } catch (cause) {
    // Other items were added in between, and have left no room.
    if (cause instanceof Unmet && cause.index === 1) throw tooManyChunks(chunksAtMost)
    throw cause
  }
  quotas.addBytes(item.owner_id, growth.bytes)
  // A file without an item is swept in any case.
  if (item.upload) await ports.files.delete([item.id]).catch(() => undefined)
}

function indexedEvent(
  { store }: Ports,
  item: StoredItem,
  title: string,
  chunks: number,
  now: Date,
): Promise<Write[]> {
  const { id: item_id, char_id, owner_id } = item
  const data = { item_id, char_id, title, chunks }
  // Webhooks of apps are not told of it.
  const subject = { ownerId: owner_id, charId: char_id, appId: null }
  const source = pageOf(item)
  return emitted(store, { type: 'knowledge.indexed', ...subject, data, source }, now)
}
