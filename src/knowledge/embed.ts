import type { Ports } from '#src/core/context.ts'
import { ModelFailure, type Embeddings } from '#src/ports/model.ts'
import { Unmet, type Store, type Write } from '#src/ports/store.ts'
import { chunkId, idsUnder, type StoredChunk, type StoredItem } from './item.ts'
import { dataOf, packed } from '#src/core/text/vectors.ts'
import { vectorsADocument, type StoredVectors } from './vectors.ts'

/** How long the provider is left alone after a failure, in milliseconds. */
const restMs = 60_000
const longestRestMs = 3_600_000

type Needed = Pick<Ports, 'store' | 'models' | 'clock' | 'log'>

/**
 * Makes vectors of what has been indexed, item by item, if the operator has chosen a model. Texts are found
 * without vectors too: while the provider is away, only search by meaning is delayed.
 */
export class Embedder {
  readonly #ports: Needed
  /** The account of the last item. */
  #last = ''
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(ports: Needed) {
    this.#ports = ports
  }

  /** Handles one item that has no vectors of this model; returns whether there was one. */
  async embedSome(signal: AbortSignal): Promise<number> {
    const { models, store, clock } = this.#ports
    const { embeddings } = models
    if (!embeddings || clock.monotonic() < this.#restsUntil) return 0
    const item = await this.#next(embeddings.model)
    if (!item) return 0
    this.#last = item.owner_id
    try {
      return (await embedItem(store, embeddings, item, signal)) ? 1 : 0
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof ModelFailure)) throw cause
      return this.#afterFailure(item, embeddings.model, cause)
    }
  }

  /** An item without vectors of the model, of the account whose turn it is. */
  async #next(model: string): Promise<StoredItem | undefined> {
    const { knowledge_items } = this.#ports.store
    const embedded = await otherThan(this.#ports.store, model)
    if (embedded === undefined) return undefined
    for (const owner_id of [{ $gt: this.#last }, { $gt: '' }]) {
      const first = { sort: { owner_id: 1 }, limit: 1 } as const
      const [item] = await knowledge_items.find({ embedded, owner_id }, first)
      if (item) return item
    }
    return undefined
  }

  async #afterFailure(item: StoredItem, model: string, cause: ModelFailure): Promise<number> {
    const { log, store, clock } = this.#ports
    // Without the provider's message, which may quote its input.
    const fields = { item_id: item.id, model, fault: cause.fault }
    if (cause.fault !== 'rejected' && cause.fault !== 'unreadable') {
      log.warn('the embedding provider failed', fields)
      const rest = Math.min(Math.max(restMs, cause.retryAfterMs ?? 0), longestRestMs)
      this.#restsUntil = clock.monotonic() + rest
      return 0
    }
    // The same texts would be refused again; they are found by their words only.
    log.warn('an item of knowledge got no vectors', fields)
    const { id, edition } = item
    const change = { $set: { embedded: model }, $inc: { turn: 1 } }
    await store.knowledge_items.update({ id, edition }, change)
    return 1
  }
}

/** A value of `embedded` other than this model: none yet, or another model. */
async function otherThan({ knowledge_items }: Store, model: string): Promise<string | undefined> {
  for (const embedded of [{ $lt: model }, { $gt: model }]) {
    const first = { sort: { embedded: 1 }, limit: 1 } as const
    const [found] = await knowledge_items.pick(['embedded'], { embedded }, first)
    if (found) return String(found[0])
  }
  return undefined
}

/** Embeds an item; false if it was changed meanwhile. */
async function embedItem(
  store: Store,
  embeddings: Embeddings,
  item: StoredItem,
  signal: AbortSignal,
): Promise<boolean> {
  const { edition } = item
  if (edition === null) return false
  let { turn } = item
  const commit = async (writes: Write[], embedded: string | null): Promise<void> => {
    const held: Write = {
      in: 'knowledge_items',
      update: { id: item.id, turn },
      change: { $inc: { turn: 1 }, ...(embedded !== null && { $set: { embedded } }) },
    }
    const { char_id: id, shelf } = item
    const moved: Write = {
      in: 'knowledge_shelves',
      update: { id, shelf },
      change: { $inc: { vectored: 1 } },
    }
    await store.commit([held, moved, ...writes])
    turn += 1
  }
  try {
    // Vectors of another model, or of an unfinished try.
    await commit([{ in: 'knowledge_vectors', delete: { id: idsUnder(edition) } }], null)
    for (let first = 0; first < item.chunks; first += vectorsADocument) {
      const chunks = await chunksFrom(store, edition, first)
      if (chunks.length === 0) break
      const vectors = await embeddings.embed(chunks.map(embeddedText), signal)
      const insert = documentOf(item, edition, first, embeddings.model, vectors)
      await commit([{ in: 'knowledge_vectors', insert }], null)
    }
    await commit([], embeddings.model)
    return true
  } catch (cause) {
    if (!(cause instanceof Unmet)) throw cause
    return false
  }
}

function chunksFrom(
  { knowledge_chunks }: Store,
  edition: string,
  first: number,
): Promise<StoredChunk[]> {
  const { $lt } = idsUnder(edition)
  const among = { id: { $gte: chunkId(edition, first), $lt } }
  return knowledge_chunks.find(among, { sort: { id: 1 }, limit: vectorsADocument })
}

function embeddedText({ heading, text }: StoredChunk): string {
  return heading === null ? text : `${heading}\n${text}`
}

function documentOf(
  { shelf }: StoredItem,
  edition: string,
  first: number,
  model: string,
  vectors: readonly Float32Array[],
): StoredVectors {
  const length = vectors[0]?.length ?? 0
  const data = dataOf(vectors.map(packed))
  return { id: chunkId(edition, first), shelf, model, first, length, data }
}
