import { Worker } from 'node:worker_threads'
import { stopRefusal } from '#src/core/admission/faults.ts'
import { partsOf } from './parts.ts'
import type { JsonSchemas, Misfit } from '#src/ports/json-schemas.ts'

/** A check, as the thread is sent it. */
export interface Job {
  schema: Readonly<Record<string, unknown>>
  value: unknown
}

type Result = { misfits: Misfit[] } | { failed: string }

interface Waiting {
  job: Job
  resolve: (misfits: Misfit[]) => void
  reject: (cause: unknown) => void
}

/** Up to so many pairs of a part of the value and a part of the schema, a check holds the loop for a moment only. */
const pairsAtOnce = 2000
/** Items that are to be unique are compared each with each. */
const comparedAtOnce = 50
const patienceMs = 2000
const memoryMb = 256

const tooCostly: Misfit = { pointer: '', message: 'takes too long to be checked' }

/** Checks small values at once, and larger ones in a thread, one after the other. */
export function openSchemas(): JsonSchemas {
  const thread = new Thread()
  return {
    async misfits(schema, value) {
      const parts = partsOf(schema, pairsAtOnce)
      const isComparing = JSON.stringify(schema).includes('"uniqueItems":true')
      const most = Math.min(pairsAtOnce / parts, isComparing ? comparedAtOnce : Infinity)
      if (partsOf(value, most) > most) {
        return thread.do({ schema, value })
      }
      // Imported with the first check: few processes need the library.
      const { check } = await import('./check.ts')
      return check(schema, value)
    },
    close: () => thread.close(),
  }
}

/** Starts with the first check that takes longer; after it has died, the next one starts another. */
class Thread {
  readonly #queue: Waiting[] = []
  #worker: Worker | undefined
  #current: Waiting | undefined
  #late: NodeJS.Timeout | undefined
  #closed = false

  do(job: Job): Promise<Misfit[]> {
    if (this.#closed) return Promise.reject(stopRefusal({ retryAfterSeconds: 5 }))
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve, reject })
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const stopped = stopRefusal({ retryAfterSeconds: 5 })
    for (const { reject } of this.#queue.splice(0)) reject(stopped)
    const worker = this.#worker
    this.#worker = undefined
    this.#finish(({ reject }) => reject(stopped))
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
    this.#late = setTimeout(() => this.#giveUp(worker), patienceMs)
    worker.postMessage(waiting.job)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      // The process's options for its heap, loaders and debugger are not for this thread.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
      name: 'schemas',
    })
    worker.on('message', (result: Result) => {
      if (this.#worker === worker) this.#finish((waiting) => settle(waiting, result))
    })
    worker.on('error', () => undefined)
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#finish(({ resolve }) => resolve([tooCostly]))
    })
    return worker
  }

  #giveUp(worker: Worker): void {
    this.#worker = undefined
    void worker.terminate()
    this.#finish(({ resolve }) => resolve([tooCostly]))
  }

  #finish(done: (waiting: Waiting) => void): void {
    clearTimeout(this.#late)
    const waiting = this.#current
    this.#current = undefined
    if (waiting) done(waiting)
    this.#next()
  }
}

function settle({ resolve, reject }: Waiting, result: Result): void {
  if ('failed' in result) reject(new Error(result.failed))
  else resolve(result.misfits)
}
