import { Worker } from 'node:worker_threads'
import { ExtractFailure, type Extract, type Material } from '#src/ports/extractor.ts'
import { Unavailable } from '#src/ports/store.ts'
import { Job } from './job.ts'
import { tooCostly } from './limits.ts'
import type { Reply, Request } from './message.ts'

/** What the thread may cost. */
export interface ThreadTerms {
  /** The module that the thread runs. */
  code: URL
  /** Processor time for one material. By the clock, it may take several times as long. */
  timeoutMs: number
  /**
   * The thread's heap and array buffers together; a third more for a moment. The process must not grow by more
   * than that third either.
   */
  memoryBytes: number
}

/**
 * V8 ends the whole process if a thread exceeds this in one large step, so it lies far above the
 * allowed memory, which is watched from outside.
 */
const heapMegabytes = (memoryBytes: number): number => Math.ceil((memoryBytes * 8) / 2 ** 20)
/** A quarter of what a thread takes by default: reading makes so much garbage that the rest is never empty. */
const youngMegabytes = 12
const lookEveryMs = 10
/** How many times its processor time a material may take by the clock: other threads come first. */
const patience = 10
/** Usage includes garbage that is not yet collected, so it must stay high for a second. */
const looksAbove = 100
/** The share of the allowed memory that is too much even for a moment: the process has little more. */
const momentarily = 4 / 3

/** A thread that reads one material at a time. Once `isGone`, a new one must be made. */
export class ReadingThread {
  readonly #worker: Worker
  readonly #terms: ThreadTerms
  readonly #exited: Promise<void>
  #job: Job | undefined
  #isGone = false
  #late: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  #isLooking = false
  /** The share of the allowed memory in use. */
  #used = 0
  /** The resident memory of the process before there was a thread, in bytes. */
  readonly #before = process.memoryUsage.rss()
  /** The processor time of the thread when it began with this material, as first seen. */
  #begun: NodeJS.CpuUsage | undefined
  #above = 0

  constructor(terms: ThreadTerms) {
    this.#terms = terms
    this.#worker = new Worker(terms.code, {
      // The environment and options of the process are not for code that reads untrusted input.
      execArgv: [],
      env: {},
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytes(terms.memoryBytes),
        maxYoungGenerationSizeMb: youngMegabytes,
      },
      name: 'extractor',
    })
    // Libraries print warnings about unusual material there.
    this.#worker.stdout.resume()
    this.#worker.stderr.resume()
    this.#worker.on('message', (reply: Reply) => this.#take(reply))
    this.#worker.on('error', () => this.#fail(tooCostly()))
    this.#exited = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#isGone = true
        this.#fail(tooCostly())
        resolve()
      })
    })
    this.#worker.unref()
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Memory of the last material is still in use, or kept by the C library; it must not count against the next. */
  get isFull(): boolean {
    return Math.max(this.#used, this.#grown()) > 0.5
  }

  /** @throws ExtractFailure, Unavailable when the thread is ended in the meantime */
  read(material: Material): Promise<Extract> {
    const job = (this.#job = new Job())
    this.#above = 0
    this.#begun = undefined
    this.#worker.ref()
    this.#late = setTimeout(() => this.#fail(tooSlow()), this.#terms.timeoutMs * patience)
    this.#watch = setInterval(() => void this.#look(), lookEveryMs)
    // Copied, because the sender may go on using its own.
    const bytes = new Uint8Array(material.bytes)
    const request: Request = { material: { ...material, bytes } }
    this.#worker.postMessage(request, [bytes.buffer])
    return job.extract
  }

  /** Ends the thread, even while it works; resolves when it is gone. */
  end(): Promise<void> {
    this.#fail(new Unavailable('the extractor is closed'))
    this.#isGone = true
    void this.#worker.terminate()
    return this.#exited
  }

  #take(reply: Reply): void {
    const job = this.#job
    if (!job) return
    if (job.take(reply)) this.#rest()
    // Other work that waits for the event loop comes first.
    else setImmediate(() => this.#worker.postMessage('more' satisfies Request))
  }

  /** What the process has grown by, as a share of the allowed memory. */
  #grown(): number {
    return (process.memoryUsage.rss() - this.#before) / this.#terms.memoryBytes
  }

  /**
   * Measures memory and processor time; the thread answers even while it works, except in moments that
   * cannot be interrupted. What the process has grown by is seen in those too.
   */
  async #look(): Promise<void> {
    if (this.#grown() > momentarily) return this.#fail(tooCostly())
    if (this.#isLooking) return
    this.#isLooking = true
    const job = this.#job
    const both = [this.#worker.getHeapStatistics(), this.#worker.cpuUsage()] as const
    const [heap, cpu] = await Promise.all(both).catch(() => [])
    this.#isLooking = false
    if (!heap || !cpu || this.#job !== job) return
    this.#used = (heap.used_heap_size + heap.external_memory) / this.#terms.memoryBytes
    this.#above = this.#used > 1 ? this.#above + 1 : 0
    if (this.#used > momentarily || this.#above > looksAbove) this.#fail(tooCostly())
    this.#begun ??= cpu
    const spent = cpu.user + cpu.system - this.#begun.user - this.#begun.system
    if (spent > this.#terms.timeoutMs * 1000) this.#fail(tooSlow())
  }

  /** The material failed because of the thread, so the thread is ended with it. */
  #fail(cause: Error): void {
    const job = this.#job
    if (!job) return
    this.#isGone = true
    void this.#worker.terminate()
    this.#rest()
    job.fail(cause)
  }

  #rest(): void {
    this.#job = undefined
    clearTimeout(this.#late)
    clearInterval(this.#watch)
    this.#worker.unref()
  }
}

const tooSlow = (): ExtractFailure =>
  new ExtractFailure('too_costly', 'It takes too long to be read.')
