import { Worker } from 'node:worker_threads'
import { codes, Refusal, type Code } from '#src/core/errors.ts'
import type { AgentTexts, Copy, Copyist, Draft } from '#src/agents/copies/copyist.ts'
import { stopRefusal } from '#src/core/admission/faults.ts'

/** Up to this size the work is done on the event loop: starting the thread would take longer. */
const atOnceBytes = 65_536
const waitingAtMost = 64

/** What does the work, and how long it may take. */
export interface CopyistTerms {
  /** The module whose `work` takes a job and returns its result. */
  desk: URL
  patienceMs?: number
  /** The thread's memory, in megabytes. */
  memoryMb?: number
}

interface Job {
  kind: 'read' | 'export' | 'copy'
  [member: string]: unknown
}

type Result =
  | { done: unknown }
  | { refused: { code: string; message: string; hint: string | undefined } }
  | { failed: string }

interface Waiting {
  job: Job
  resolve: (result: Result) => void
  reject: (cause: unknown) => void
}

/** Works on small agents at once, and on larger ones in a thread, one after the other. */
export function openCopyist(terms: CopyistTerms): Copyist {
  const thread = new Thread(terms)
  const work = async (job: Job, bytes: number): Promise<unknown> => {
    const result = bytes <= atOnceBytes ? await atOnce(terms, job) : await thread.do(job)
    if ('done' in result) return result.done
    if ('failed' in result) throw new Error(result.failed)
    const { code, message, hint } = result.refused
    throw new Refusal(isCode(code) ? code : 'internal_error', message, { hint })
  }
  // The module returns the right result for each kind of work.
  return {
    read: async (file) => (await work({ kind: 'read', file }, file.length)) as Draft,
    exported: async (texts) => (await work({ kind: 'export', texts }, sizeOf(texts))) as string,
    copied: async (texts, about) =>
      (await work({ kind: 'copy', texts, terms: about }, sizeOf(texts))) as Copy,
    close: () => thread.close(),
  }
}

function sizeOf({ agent, tasks }: AgentTexts): number {
  return tasks.reduce((sum, task) => sum + task.length, agent.length)
}

function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code)
}

async function atOnce({ desk }: CopyistTerms, job: Job): Promise<Result> {
  // The composition root names the module, which has this one function.
  const { work } = (await import(desk.href)) as { work: (job: Job) => Result }
  return work(job)
}

const usual = { patienceMs: 20_000, memoryMb: 512 }

/** Starts with the first large agent; after it has died, the next job starts another. */
class Thread {
  readonly #desk: URL
  readonly #patienceMs: number
  readonly #memoryMb: number
  readonly #queue: Waiting[] = []
  #worker: Worker | undefined
  #current: Waiting | undefined
  #late: NodeJS.Timeout | undefined
  #closed = false

  constructor({ desk, patienceMs = usual.patienceMs, memoryMb = usual.memoryMb }: CopyistTerms) {
    this.#desk = desk
    this.#patienceMs = patienceMs
    this.#memoryMb = memoryMb
  }

  do(job: Job): Promise<Result> {
    if (this.#closed) return Promise.reject(stopped())
    if (this.#queue.length >= waitingAtMost) {
      const message = 'Too many large agents are being read, written and copied.'
      return Promise.reject(new Refusal('unavailable', message, { retryAfterSeconds: 5 }))
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#queue.splice(0)) reject(stopped())
    const worker = this.#worker
    this.#worker = undefined
    this.#finish(({ reject }) => reject(stopped()))
    await worker?.terminate()
  }

  #next(): void {
    if (this.#current) return
    const waiting = this.#queue.shift()
    if (!waiting) {
      this.#worker?.unref()
      return
    }
    this.#current = waiting
    const worker = (this.#worker ??= this.#start())
    worker.ref()
    this.#late = setTimeout(() => this.#giveUp(worker), this.#patienceMs)
    worker.postMessage(waiting.job)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.#desk.href,
      // The process's options for its heap, loaders and debugger are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#memoryMb, maxYoungGenerationSizeMb: 64 },
      name: 'copyist',
    })
    worker.on('message', (result: Result) => {
      if (this.#worker === worker) this.#finish(({ resolve }) => resolve(result))
    })
    let fault: unknown
    worker.on('error', (cause) => {
      fault = cause
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#finish(({ job, reject }) => reject(isOfMemory(fault) ? tooCostly(job) : fault))
    })
    return worker
  }

  #giveUp(worker: Worker): void {
    this.#worker = undefined
    void worker.terminate()
    this.#finish(({ job, reject }) => reject(tooCostly(job)))
  }

  #finish(settle: (waiting: Waiting) => void): void {
    clearTimeout(this.#late)
    const waiting = this.#current
    this.#current = undefined
    if (waiting) settle(waiting)
    this.#next()
  }
}

function isOfMemory(fault: unknown): boolean {
  if (fault === undefined) return true
  return fault instanceof Error && 'code' in fault && fault.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

function stopped(): Refusal {
  return stopRefusal({ retryAfterSeconds: 5 })
}

/** A file that once needed too much would need too much again. */
function tooCostly({ kind }: Job): Refusal {
  if (kind === 'read') {
    return new Refusal('import_unreadable', 'The file takes too much time or memory to read.')
  }
  return new Refusal('unavailable', 'The agent takes too much time or memory to copy.', {
    retryAfterSeconds: 60,
  })
}
