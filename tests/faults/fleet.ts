import { setTimeout as pause } from 'node:timers/promises'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const readyWithinMs = 60_000

/** Servers on one store, each a process of its own, that are killed and started again. */
export class Fleet {
  readonly #env: Record<string, string>
  readonly #folder: string
  readonly #members: (ServerProcess | undefined)[] = []
  /** From the end of a killed process until the next one is ready, in milliseconds. */
  readonly readyMs: number[] = []

  /** @param folder of their data; they share it, as they share the store */
  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder
    this.#env = {
      ABODE_MASTER_KEY: '07'.repeat(32),
      ABODE_RATE_LIMITS: 'off',
      ABODE_QUOTAS: 'off',
      ABODE_LOG_LEVEL: 'info',
      ABODE_WARM_UP: 'on',
      ...env,
    }
  }

  async start(count: number): Promise<void> {
    // The first makes the store; the others find it.
    for (let i = 0; i < count; i += 1) await this.#begin(i)
  }

  /** The addresses of those that listen. */
  urls(): string[] {
    return this.#members.flatMap((one) => (one ? [one.url] : []))
  }

  /** @throws Error where it does not run */
  member(i: number): ServerProcess {
    const one = this.#members[i]
    if (!one) throw new Error(`process ${i} does not run`)
    return one
  }

  /** Kills one at this moment, starts another in its place and waits until that is ready. */
  async kill(i: number): Promise<void> {
    const killed = this.member(i)
    this.#members[i] = undefined
    await killed.end('SIGKILL')
    const gone = performance.now()
    await this.#begin(i)
    this.readyMs.push(performance.now() - gone)
  }

  /** Takes one out, which no caller is told any more; who calls this ends it. */
  release(i: number): ServerProcess {
    const one = this.member(i)
    this.#members[i] = undefined
    return one
  }

  /** Starts another one where one was released. */
  replace(i: number): Promise<void> {
    return this.#begin(i)
  }

  async end(): Promise<void> {
    const members = this.#members.splice(0)
    await Promise.all(members.flatMap((one) => (one ? [one.end('SIGTERM')] : [])))
  }

  async #begin(i: number): Promise<void> {
    const server = await startServer({ dataDir: this.#folder, env: this.#env })
    try {
      await ready(server.url)
    } catch (cause) {
      await server.end('SIGKILL')
      throw cause
    }
    this.#members[i] = server
  }
}

/** Resolves once a server says that it is ready. */
export async function ready(url: string): Promise<void> {
  for (const end = performance.now() + readyWithinMs; performance.now() < end;) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    await pause(10)
  }
  throw new Error('it did not become ready')
}
