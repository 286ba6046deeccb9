import type { Ports } from '#src/core/context.ts'
import { ModelFailure, type Embeddings } from '#src/ports/model.ts'
import { chunkId, idsUnder } from './item.ts'
import type { StoredShelf } from './library.ts'
import { nearness, packed, rowsOf, type Rows } from './vectors.ts'

/** How long a search waits for the vector of its query, in milliseconds. */
const patienceMs = 5_000
/** How long no query is embedded after a failure, in milliseconds. */
const restMs = 30_000
/** Bytes of vectors in memory, over all agents; and how long those of an agent that changes are used. */
const bytesInMemory = 64 * 2 ** 20
const freshMs = 10_000
/** Vector documents that are read, and vectors that are compared, in one turn of the event loop. */
const readAtOnce = 16
const comparedAtOnce = 2_000
/** Chunks that are this much farther away than the nearest are left out: something is always nearest. */
const leastPart = 0.75

type Needed = Pick<Ports, 'store' | 'models' | 'clock' | 'log'>

/** What a process remembers of vectors and of their provider. */
interface Memory {
  /** By shelf, the most recently used last. */
  shelves: Map<string, Loaded>
  restsUntil: number
}

interface Loaded {
  vectored: number
  at: number
  rows: Rows[]
  bytes: number
}

const memories = new WeakMap<Embeddings, Memory>()

/**
 * The ids of the chunks of a shelf that are closest to the text in meaning, nearest first; none if there is
 * no model, or its provider is away.
 */
export async function nearestChunks(
  ports: Needed,
  shelf: StoredShelf,
  text: string,
  limit: number,
): Promise<string[]> {
  const { embeddings } = ports.models
  if (!embeddings || shelf.vectored === 0) return []
  const memory = memories.get(embeddings) ?? { shelves: new Map(), restsUntil: -Infinity }
  memories.set(embeddings, memory)
  const query = await queryVector(ports, embeddings, memory, text)
  if (!query) return []
  const rows = await rowsOn(ports, embeddings, memory, shelf)
  return best(ports, rows, query, limit)
}

async function queryVector(
  { clock, log }: Needed,
  embeddings: Embeddings,
  memory: Memory,
  text: string,
): Promise<Int8Array | undefined> {
  if (clock.monotonic() < memory.restsUntil) return undefined
  try {
    const [vector] = await embeddings.embed([text], AbortSignal.timeout(patienceMs))
    return vector && packed(vector)
  } catch (cause) {
    // Search by words still works, so a search does not wait for the provider.
    memory.restsUntil = clock.monotonic() + restMs
    // Without the provider's message, which may quote its input.
    const why = cause instanceof ModelFailure ? { fault: cause.fault } : { cause }
    log.warn('a query could not be embedded', { model: embeddings.model, ...why })
    return undefined
  }
}

async function rowsOn(
  { store, clock }: Needed,
  { model }: Embeddings,
  { shelves }: Memory,
  { shelf, vectored }: StoredShelf,
): Promise<Rows[]> {
  const known = shelves.get(shelf)
  const now = clock.monotonic()
  if (known && (known.vectored === vectored || now - known.at < freshMs)) {
    shelves.delete(shelf)
    shelves.set(shelf, known)
    return known.rows
  }
  const rows = await loaded({ store, clock }, shelf, model)
  const bytes = rows.reduce((sum, one) => sum + one.numbers.length, 0)
  shelves.delete(shelf)
  shelves.set(shelf, { vectored, at: now, rows, bytes })
  forgetOldest(shelves)
  return rows
}

function forgetOldest(shelves: Memory['shelves']): void {
  let bytes = [...shelves.values()].reduce((sum, one) => sum + one.bytes, 0)
  for (const [shelf, one] of shelves) {
    if (bytes <= bytesInMemory) return
    shelves.delete(shelf)
    bytes -= one.bytes
  }
}

async function loaded(
  { store, clock }: Pick<Needed, 'store' | 'clock'>,
  shelf: string,
  model: string,
): Promise<Rows[]> {
  const all: Rows[] = []
  const { $lt } = idsUnder(shelf)
  let { $gt } = idsUnder(shelf)
  for (;;) {
    const some = await store.knowledge_vectors.find(
      { id: { $gt, $lt } },
      { sort: { id: 1 }, limit: readAtOnce },
    )
    for (const one of some) {
      const rows = one.model === model ? rowsOf(one) : undefined
      if (rows) all.push(rows)
    }
    const last = some.at(-1)
    if (!last || some.length < readAtOnce) return all
    $gt = last.id
    await clock.turn()
  }
}

async function best(
  { clock }: Pick<Needed, 'clock'>,
  rows: readonly Rows[],
  query: Int8Array,
  limit: number,
): Promise<string[]> {
  const found: { id: string; near: number }[] = []
  let compared = 0
  for (const some of rows) {
    for (const [row, near] of nearness(some, query).entries()) {
      if (near > 0) found.push({ id: chunkId(some.edition, some.first + row), near })
    }
    compared += some.norms.length
    if (compared < comparedAtOnce) continue
    compared = 0
    await clock.turn()
  }
  found.sort((a, b) => b.near - a.near || (a.id < b.id ? -1 : 1))
  const least = (found[0]?.near ?? 0) * leastPart
  return found.slice(0, limit).flatMap(({ id, near }) => (near < least ? [] : [id]))
}
