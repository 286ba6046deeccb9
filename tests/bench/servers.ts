import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { startServer } from '#tests/support/process.ts'
import type { Subject } from './load.ts'

/** A process to measure, which is ended with `end`. */
export interface Started extends Subject {
  end(): Promise<void>
}

const running = new Set<Started>()

/** Ends what still runs, where the bench is stopped half way. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((server) => server.end()))
}

/** Keeps track of a server until it has ended. */
function started(subject: Subject, end: () => Promise<void>): Started {
  const server: Started = {
    ...subject,
    async end() {
      running.delete(server)
      await end()
    },
  }
  running.add(server)
  return server
}

/** The product as anybody starts it, but with nothing that would say no to a load. */
export async function startProduct(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Started> {
  const server = await startServer({
    dataDir,
    env: {
      ABODE_RATE_LIMITS: 'off',
      ABODE_QUOTAS: 'off',
      ABODE_WARM_UP: 'on',
      // What the folder was stocked with.
      ABODE_MASTER_KEY: '07'.repeat(32),
      ...env,
    },
  })
  const subject = { url: server.url, pid: server.child.pid ?? 0 }
  return started(subject, async () => void (await server.end('SIGTERM')))
}

/** The bare servers that the product is held against, in `bare/`. */
export type Bare = 'echo' | 'handler' | 'pieces' | 'search' | 'start' | 'streams'

/** One of the bare servers. */
export function startBare(name: Bare, ...args: string[]): Promise<Started> {
  return startBareIn({}, name, ...args)
}

/** The same with further settings of its process. */
export async function startBareIn(
  env: Record<string, string>,
  name: Bare,
  ...args: string[]
): Promise<Started> {
  const file = fileURLToPath(
    new URL(`bare/${name}.${name === 'start' ? 'js' : 'ts'}`, import.meta.url),
  )
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  // It says one line, as the product does.
  const { url } = JSON.parse(String(line)) as { url: string }
  return started({ url, pid: child.pid ?? 0 }, async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
}
