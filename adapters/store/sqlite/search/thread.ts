import { Worker } from 'node:worker_threads'
import type { Hit } from '#src/ports/search.ts'
import { Unavailable } from '#src/ports/store.ts'
import type { Tallied } from '#adapters/store/opened.ts'
import type { Count, Question, Reply } from './worker.ts'

interface Job {
  question: Question | Count
  resolve(found: Hit[] | Tallied[]): void
  reject(error: unknown): void
  since: number
}

/** When this many searches wait, further ones are refused. */
export const longestQueue = 256

/** The thread's module, and how long a search may wait, in the queue or for a stuck thread. */
export interface ThreadTerms {
  code: URL
  patienceMs: number
}

const usual: ThreadTerms = { code: new URL('./worker.ts', import.meta.url), patienceMs: 5_000 }

/**
 * The thread that searches, one query after the other, so that none blocks the event loop. It starts
 * with the first query; after it has died, the next query starts another.
 */
export class SearchThread {
  readonly #path: string | null
  readonly #translate: (error: unknown) => unknown
  readonly #terms: ThreadTerms
  readonly #waiting: Job[] = []
  #worker: Worker | undefined
  #current: Job | undefined
  #late: NodeJS.Timeout | undefined
  #idle: (() => void) | undefined
  #closing: Promise<void> | undefined
  readonly #gone = new Set<Promise<unknown>>()

  /**
   * @param path the file of the database; null for a database in memory
   * @param translate turns an error of the database into the port's
   */
  constructor(path: string | null, translate: (error: unknown) => unknown, terms = usual) {
    this.#path = path
    this.#translate = translate
    this.#terms = terms
  }

  /** @throws Unavailable */
  async ask(question: Question): Promise<Hit[]> {
    // A search finds hits.
    return (await this.#askAny(question)) as Hit[]
  }

  /** @throws Unavailable */
  async count(question: Count): Promise<Tallied[]> {
    // A count finds groups.
    return (await this.#askAny(question)) as Tallied[]
  }

  #askAny(question: Question | Count): Promise<Hit[] | Tallied[]> {
    if (this.#closing) return Promise.reject(new Unavailable('the store is closed'))
    if (this.#path === null) {
      return Promise.reject(new Unavailable('a database in memory cannot be searched'))
    }
    if (this.#waiting.length >= longestQueue) {
      return Promise.reject(new Unavailable('too many searches wait for their turn'))
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject, since: performance.now() })
      this.#next()
    })
  }

  /** Ends the thread after the current search; waiting searches are refused. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    for (const job of this.#waiting.splice(0)) job.reject(new Unavailable('the store is closed'))
    if (this.#current) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
    }
    const worker = this.#worker
    if (worker) {
      worker.ref()
      await new Promise((resolve) => {
        worker.once('exit', resolve)
        worker.postMessage('close')
      })
    }
    await Promise.all(this.#gone)
  }

  #next(): void {
    if (this.#current) return
    const job = this.#waiting.shift()
    if (!job) {
      this.#worker?.unref()
      this.#idle?.()
      return
    }
    if (performance.now() - job.since > this.#terms.patienceMs) {
      job.reject(new Unavailable('the search waited too long for its turn'))
      return this.#next()
    }
    this.#current = job
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    this.#late = setTimeout(() => this.#giveUp(worker), this.#terms.patienceMs)
    worker.postMessage(job.question)
  }

  #start(): Worker {
    const worker = new Worker(this.#terms.code, {
      workerData: this.#path,
      // The process's options for its heap, loaders and debugger are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8 },
      name: 'search',
    })
    let cause: unknown
    worker.on('message', (reply: Reply) => this.#settle(worker, reply))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#finish((job) =>
        job.reject(new Unavailable('the thread that searches has ended', { cause })),
      )
    })
    return worker
  }

  #settle(worker: Worker, reply: Reply): void {
    if (this.#worker !== worker) return
    this.#finish((job) => {
      if ('found' in reply) job.resolve(reply.found)
      else if ('late' in reply) job.reject(new Unavailable('the search took too long'))
      else job.reject(this.#translate(asError(reply)))
    })
  }

  /** The thread is inside the database, where nothing reaches it: it ends when it comes out. */
  #giveUp(worker: Worker): void {
    this.#worker = undefined
    const gone = worker.terminate()
    this.#gone.add(gone)
    void gone.finally(() => this.#gone.delete(gone))
    this.#finish((job) => job.reject(new Unavailable('the search took too long')))
  }

  #finish(settle: (job: Job) => void): void {
    clearTimeout(this.#late)
    const job = this.#current
    this.#current = undefined
    if (job) settle(job)
    this.#next()
  }
}

/** Restores the error of node:sqlite from its fields. */
function asError({ error, code }: { error: string; code: number | undefined }): Error {
  return Object.assign(new Error(error), code === undefined ? {} : { errcode: code })
}
