import {
  ForksPoolWorker,
  type PoolOptions,
  type PoolRunnerInitializer,
  type PoolWorker,
  type WorkerRequest,
} from 'vitest/node'

/** After so many runs a new process replaces this one, and clears all that mutants left behind. */
const runsOfAProcess = 50

/** The current process, and how many runs it has served. */
let kept: { process: ForksPoolWorker; runs: number } | undefined

type Listener = (...args: unknown[]) => void

/**
 * A worker of vitest whose process stays when a run ends. A new process for each mutant would spend
 * ten times what the tests take on loading the sources; which mutant is at work is one global.
 */
class LastingWorker implements PoolWorker {
  readonly name = 'lasting'
  readonly cacheFs = true
  readonly #options: PoolOptions
  readonly #listeners: [string, Listener][] = []
  #asked = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  get #process(): ForksPoolWorker {
    if (!kept) throw new Error('the process has ended')
    return kept.process
  }

  async start(): Promise<void> {
    if (kept) return
    const process = new ForksPoolWorker(this.#options)
    await process.start()
    process.on('exit', () => {
      if (kept?.process === process) kept = undefined
    })
    kept = { process, runs: 0 }
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener])
    this.#process.on(event, listener)
  }

  off(event: string, listener: Listener): void {
    kept?.process.off(event, listener)
  }

  /** All but the wish that it stop, which is answered in its place. */
  send(message: WorkerRequest): void {
    if (message.type !== 'stop') return this.#process.send(message)
    this.#asked = true
    const stopped = { type: 'stopped', __vitest_worker_response__: true }
    for (const [event, listener] of this.#listeners) if (event === 'message') listener(stopped)
  }

  async stop(): Promise<void> {
    if (!kept) return
    const { process } = kept
    for (const [event, listener] of this.#listeners) process.off(event, listener)
    kept.runs += 1
    // A worker that is stopped without a stop message may be in the middle of a test.
    if (!this.#asked || kept.runs >= runsOfAProcess) await endProcess()
  }

  deserialize(data: unknown): unknown {
    return data
  }
}

/** Ends the current process, when vitest closes. */
export async function endProcess(): Promise<void> {
  const ending = kept?.process
  kept = undefined
  await ending?.stop()
}

export const lastingPool: PoolRunnerInitializer = {
  name: 'lasting',
  createPoolWorker: (options) => new LastingWorker(options),
}
