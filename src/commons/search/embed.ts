import type { Ports } from '#src/core/context.ts'
import { dataOf, packed } from '#src/core/text/vectors.ts'
import { timestamp } from '#src/core/time.ts'
import { ModelFailure, type Embeddings } from '#src/ports/model.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import type { StoredThread } from '../thread.ts'
import { meaningOf, threadsAtMost, type ThreadVector } from './vectors.ts'

/** Threads that are looked at in one step: the newest, and as many of the others in turn. */
const lookedAtOnce = 200
/** Texts that are embedded in one step, one of each handle. */
const embeddedAtOnce = 16
/** How many texts of one handle are embedded in an hour: each is paid by the operator. */
const ofOneHandle = { count: 60, seconds: 3600 }
/** How long the provider is left alone after a failure, in milliseconds. */
const restMs = 60_000
const longestRestMs = 3_600_000

type Needed = Pick<Ports, 'store' | 'models' | 'clock' | 'log' | 'limiter'>

/** A thread, as far as it decides whether a vector of it is to be made. */
interface Looked {
  id: string
  edits: number
  handle: string
  isFound: boolean
}

/**
 * Makes vectors of the newest threads, if the operator has chosen a model: step by step, of handles in
 * turn. Nothing is written at the threads; a step compares them with the vectors that there are.
 */
export class ThreadEmbedder {
  readonly #ports: Needed
  /** The id below which threads are looked at next, and how many have been since the newest. */
  #below: string | undefined
  #seen = 0
  /** The handle of the last text. */
  #last = ''
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(ports: Needed) {
    this.#ports = ports
  }

  /** One step. @returns how many vectors it made */
  async embedSome(signal: AbortSignal): Promise<number> {
    const { models, clock } = this.#ports
    const { embeddings } = models
    if (!embeddings || clock.monotonic() < this.#restsUntil) return 0
    const looked = [...(await this.#look(undefined)), ...(await this.#goOn())]
    const lacking = await this.#lacking(looked, embeddings.model)
    const chosen = await this.#inTurn(lacking)
    if (chosen.length === 0) return 0
    try {
      return await this.#embed(embeddings, chosen, signal)
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof ModelFailure)) throw cause
      return this.#afterFailure(embeddings, chosen, cause)
    }
  }

  async #look(below: string | undefined): Promise<Looked[]> {
    const { commons_threads } = this.#ports.store
    const rows = await commons_threads.pick(
      ['id', 'edits', 'author.handle'],
      below === undefined ? {} : { id: { $lt: below } },
      { sort: { id: -1 }, limit: lookedAtOnce },
    )
    const ids = rows.map(([id]) => String(id))
    const found = await commons_threads.pick(['id'], { id: { $in: ids }, is_found: true })
    const isFound = new Set(found.map(([id]) => String(id)))
    return rows.map(([id, edits, handle]) => ({
      id: String(id),
      edits: Number(edits),
      handle: String(handle),
      isFound: isFound.has(String(id)),
    }))
  }

  /** The next of the older threads, and from the newest again once there are no more. */
  async #goOn(): Promise<Looked[]> {
    const rows = await this.#look(this.#below)
    this.#seen += rows.length
    const isOver = rows.length < lookedAtOnce || this.#seen >= threadsAtMost
    this.#below = isOver ? undefined : rows.at(-1)?.id
    if (isOver) this.#seen = 0
    return rows
  }

  /** Those without a vector of their text by this model; vectors of what is not found any more go. */
  async #lacking(looked: readonly Looked[], model: string): Promise<Looked[]> {
    const { commons_vectors } = this.#ports.store
    const threads = new Map(looked.map((one) => [one.id, one]))
    const ids = { id: { $in: [...threads.keys()] } }
    const made = await commons_vectors.pick(['id', 'edits', 'model'], ids)
    for (const [id, edits, by] of made) {
      const thread = threads.get(String(id))
      if (!thread) continue
      if (!thread.isFound) await commons_vectors.delete({ id: thread.id })
      else if (Number(edits) === thread.edits && by === model) threads.delete(thread.id)
    }
    return [...threads.values()].filter(({ isFound }) => isFound)
  }

  /** One text of each handle, those after the last one first, as far as each may have more. */
  async #inTurn(lacking: readonly Looked[]): Promise<Looked[]> {
    const byHandle = new Map(lacking.toReversed().map((one) => [one.handle, one]))
    const handles = [...byHandle.keys()].sort()
    const first = handles.findIndex((handle) => handle > this.#last)
    const inTurn = first > 0 ? [...handles.slice(first), ...handles.slice(0, first)] : handles
    const chosen: Looked[] = []
    for (const handle of inTurn) {
      if (chosen.length === embeddedAtOnce) break
      const limit = this.#ports.limiter.take('commons_embeddings', ofOneHandle, handle)
      const thread = byHandle.get(handle)
      if (thread && (await limit).admitted) chosen.push(thread)
    }
    this.#last = chosen.at(-1)?.handle ?? this.#last
    return chosen
  }

  async #embed(
    embeddings: Embeddings,
    chosen: readonly Looked[],
    signal: AbortSignal,
  ): Promise<number> {
    const { store } = this.#ports
    const ids = chosen.map(({ id }) => id)
    const threads = await store.commons_threads.find({ id: { $in: ids }, is_found: true })
    if (threads.length === 0) return 0
    const vectors = await embeddings.embed(threads.map(meaningOf), signal)
    for (const [i, thread] of threads.entries()) {
      const vector = vectors[i]
      if (vector) await this.#keep(embeddings, thread, packed(vector))
    }
    return threads.length
  }

  async #keep(
    { model }: Embeddings,
    { id, edits }: Pick<StoredThread, 'id' | 'edits'>,
    vector: Int8Array,
  ): Promise<void> {
    const { store, clock } = this.#ports
    const made_at = timestamp(clock.now())
    const made: ThreadVector = {
      id,
      model,
      edits,
      length: vector.length,
      data: dataOf([vector]),
      made_at,
    }
    const former = await store.commons_vectors.get(id)
    const write: Write = former
      ? { in: 'commons_vectors', update: { id, made_at: former.made_at }, replace: made }
      : { in: 'commons_vectors', insert: made }
    await store.commit([write]).catch((cause: unknown) => {
      // Another process has made one.
      if (!(cause instanceof DuplicateKey || cause instanceof Unmet)) throw cause
    })
  }

  async #afterFailure(
    embeddings: Embeddings,
    chosen: readonly Looked[],
    cause: ModelFailure,
  ): Promise<number> {
    const { log, clock } = this.#ports
    // Without the provider's message, which may quote its input.
    const fields = { model: embeddings.model, fault: cause.fault, threads: chosen.length }
    log.warn('threads of the Commons got no vectors', fields)
    if (cause.fault !== 'rejected' && cause.fault !== 'unreadable') {
      const rest = Math.min(Math.max(restMs, cause.retryAfterMs ?? 0), longestRestMs)
      this.#restsUntil = clock.monotonic() + rest
      return 0
    }
    // The same texts would be refused again; they are found by their words only.
    for (const thread of chosen) await this.#keep(embeddings, thread, new Int8Array())
    return 0
  }
}
