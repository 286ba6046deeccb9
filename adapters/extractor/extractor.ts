import {
  ExtractFailure,
  type Extract,
  type Extractor,
  type Material,
} from '#src/ports/extractor.ts'
import { Unavailable } from '#src/ports/store.ts'
import { bytesAtMost } from './limits.ts'
import { ReadingProcess } from './process.ts'
import type { ThreadTerms } from './thread.ts'

export interface ExtractorOptions extends Partial<ThreadTerms> {
  /** An idle process is ended after this long. */
  idleMs?: number
  /** How many materials may wait for their turn. */
  queue?: number
}

const usual = {
  code: new URL('./worker.ts', import.meta.url),
  timeoutMs: 30_000,
  memoryBytes: 128 * 2 ** 20,
  idleMs: 20_000,
  queue: 64,
}

interface Job {
  material: Material
  resolve: (extract: Extract) => void
  reject: (cause: unknown) => void
}

/** Reads materials in a process of its own, one after the other. The first material starts it. */
export function openExtractor(options: ExtractorOptions = {}): Extractor {
  return new QueuedExtractor({ ...usual, ...options })
}

class QueuedExtractor implements Extractor {
  readonly #options: Required<ExtractorOptions>
  readonly #waiting: Job[] = []
  #process: ReadingProcess | undefined
  #isWorking = false
  #idle: NodeJS.Timeout | undefined
  #closed: Promise<void> | undefined
  #rest: Promise<void> = Promise.resolve()

  constructor(options: Required<ExtractorOptions>) {
    this.#options = options
  }

  extract(material: Material): Promise<Extract> {
    if (this.#closed) return Promise.reject(new Unavailable('the extractor is closed'))
    if (material.bytes.length > bytesAtMost) {
      return Promise.reject(new ExtractFailure('too_large', 'It has more than 10 MB.'))
    }
    if (this.#waiting.length >= this.#options.queue) {
      return Promise.reject(new Unavailable('too many materials wait to be read'))
    }
    const { promise, resolve, reject } = Promise.withResolvers<Extract>()
    this.#waiting.push({ material, resolve, reject })
    if (!this.#isWorking) this.#rest = this.#work()
    return promise
  }

  close(): Promise<void> {
    this.#closed ??= this.#end()
    return this.#closed
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new Unavailable('the extractor is closed'))
    }
    await this.#process?.end()
    await this.#rest
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    clearTimeout(this.#idle)
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
      if (this.#process?.isGone) await this.#drop()
      const reader = (this.#process ??= new ReadingProcess(this.#options))
      await reader.read(job.material).then(job.resolve, job.reject)
      // A new one gets its memory only after the old one has released it.
      if (reader.isGone || reader.isFull) await this.#drop()
    }
    this.#isWorking = false
    if (this.#closed) return
    this.#idle = setTimeout(() => void this.#drop(), this.#options.idleMs)
    this.#idle.unref()
  }

  async #drop(): Promise<void> {
    const reader = this.#process
    this.#process = undefined
    await reader?.end()
  }
}
