import type { Ports } from '#src/core/context.ts'
import { queryVector } from '#src/core/text/query-vector.ts'
import { nearestOf, nearness } from '#src/core/text/vectors.ts'
import type { Embeddings } from '#src/ports/model.ts'
import { chunkId, idsUnder } from './item.ts'
import type { StoredShelf } from './library.ts'
import { rowsOf, type Rows } from './vectors.ts'

/** Bytes of vectors in memory, over all agents; and how long those of an agent that changes are used. */
const bytesInMemory = 64 * 2 ** 20
const freshMs = 10_000
/** Vector documents that are read, and vectors that are compared, in one turn of the event loop. */
const readAtOnce = 16
const comparedAtOnce = 2_000

type Needed = Pick<Ports, 'store' | 'models' | 'clock' | 'log'>

/** What a process remembers of vectors. */
interface Memory {
  /** By shelf, the most recently used last. */
  shelves: Map<string, Loaded>
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
  const memory = memories.get(embeddings) ?? { shelves: new Map() }
  memories.set(embeddings, memory)
  const query = await queryVector(ports, embeddings, text)
  if (!query) return []
  const rows = await rowsOn(ports, embeddings, memory, shelf)
  return best(ports, rows, query, limit)
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
  return nearestOf(found, limit)
}
