import { Worker } from 'node:worker_threads'
import { stopRefusal } from '#src/core/admission/faults.ts'
import { Refusal } from '#src/core/errors.ts'
import { FairQueue, type QueueBounds } from '#src/core/turns/fair-queue.ts'

/** What a thread works with, and within which bounds. */
export interface FairThreadTerms {
  name: string
  /** The module that answers each message, which is a job, with one message, its result. */
  module: URL
  /** What that module finds as `workerData`. */
  given?: string
  /** How long one job may take. */
  patienceMs: number
  /** The thread's memory, in megabytes: in all, and for what is new. */
  memoryMb: number
  newMb: number
  /** How many jobs may wait. */
  waiting: QueueBounds
  /** What a caller is told who finds too many of them. */
  full: string
}

/** Gives a job when its turn has come. */
export type Made<Job> = () => Job | Promise<Job>

/** The thread has ended over a job, or took too long for it: the cause is its fault, if it had one. */
export class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
}

/**
 * Does one job after the other, for owners in turn, in a thread that starts with the first one; after it has
 * died, the next job starts another.
 */
export class FairThread<Job, Result> {
  readonly #terms: FairThreadTerms
  readonly #queue: FairQueue
  #worker: Worker | undefined
  #isClosed = false

  constructor(terms: FairThreadTerms) {
    this.#terms = terms
    this.#queue = new FairQueue(terms.waiting)
  }

  /**
   * @param owner whose jobs take turns with those of others
   * @throws ThreadLost; Refusal `unavailable` if too many jobs wait, or it is closed
   */
  async do(made: Made<Job>, owner: string): Promise<Result> {
    const place = this.#queue.take(owner)
    if (!place) throw new Refusal('unavailable', this.#terms.full, { retryAfterSeconds: 5 })
    return this.#doneIn(place, made)
  }

  /**
   * The same however many jobs wait.
   * @throws ThreadLost; Refusal `unavailable` if it is closed; the signal's reason if it is aborted before
   *   the job begins
   */
  doPatiently(made: Made<Job>, owner: string, signal?: AbortSignal): Promise<Result> {
    return this.#doneIn(this.#queue.wait(owner), made, signal)
  }

  async #doneIn(
    place: Promise<() => void>,
    made: Made<Job>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const leave = await beforeAbort(place, signal)
    try {
      return await this.#done(await made())
    } finally {
      leave()
    }
  }

  /** Ends the thread: the job under way is refused, and so are those that wait and all others. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  async #done(job: Job): Promise<Result> {
    if (this.#isClosed) throw stopped()
    const worker = (this.#worker ??= this.#started())
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let fault: unknown
    const failed = (cause: unknown): void => {
      fault = cause
    }
    const ended = (): void => reject(this.#isClosed ? stopped() : lost(fault))
    const late = setTimeout(() => {
      this.#forget(worker)
      void worker.terminate()
      reject(lost(undefined))
    }, this.#terms.patienceMs)
    worker.once('message', resolve).once('error', failed).once('exit', ended)
    worker.ref()
    try {
      worker.postMessage(job)
      return await promise
    } finally {
      clearTimeout(late)
      worker.off('message', resolve).off('error', failed).off('exit', ended).unref()
    }
  }

  #started(): Worker {
    const { name, module, given, memoryMb, newMb } = this.#terms
    const worker = new Worker(module, {
      workerData: given,
      // The process's options for its heap, loaders and debugger are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: newMb },
      name,
    })
    // The job under way, if there is one, is told of it.
    worker.on('error', () => undefined)
    worker.once('exit', () => this.#forget(worker))
    return worker
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined
  }
}

/** A place, which is left at once if the signal is aborted before it is given. */
async function beforeAbort(
  place: Promise<() => void>,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  if (!signal) return place
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => {
    reject(signal.reason)
    void place.then((leave) => leave())
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, place])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function lost(cause: unknown): ThreadLost {
  return new ThreadLost('the thread has ended over its job', { cause })
}

function stopped(): Refusal {
  return stopRefusal({ retryAfterSeconds: 5 })
}
