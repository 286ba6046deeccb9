import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { StoreKind } from './stores.ts'

/** The program as it is started everywhere: from the build where it is fresh. */
export const program = fileURLToPath(new URL('../../adapters/abode.js', import.meta.url))
const startsWithinMs = 120_000

/** What a process gets besides its settings: where programs are. */
export function surroundings(): { PATH: string } {
  const { PATH = '' } = process.env
  return { PATH }
}

export interface ServerProcess {
  /** Where it listens, without a final slash. */
  url: string
  dataDir: string
  child: ChildProcess
  /** What it has written so far, line by line. */
  lines: readonly string[]
  /** Sends the signal and waits for the end; gives the exit code, or null when a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Ends it and removes its data. */
  dispose(): Promise<void>
}

export interface ServerOptions {
  /** Besides PORT and DATA_DIR, which are set; a log level above info would hide its address. */
  env?: Record<string, string>
  /** Flags of Node, before the program. */
  flags?: readonly string[]
  /** A folder to start on; by default a new one, which `dispose` removes. */
  dataDir?: string
}

/**
 * Starts the real server on a free port and waits until it listens.
 * @throws Error with what it wrote when it ends before
 */
export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'abode-e2e-')))
  const child = spawn(process.execPath, [...(options.flags ?? []), program], {
    // Few tests ask for all parts of a server.
    env: { ...inherited(), ABODE_WARM_UP: 'off', PORT: '0', DATA_DIR: dataDir, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const ended = once(child, 'exit')
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    await ended
    return child.exitCode
  }
  try {
    return {
      url: await listening(child, lines),
      dataDir,
      child,
      lines,
      end,
      async dispose() {
        await end('SIGKILL')
        if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true })
      },
    }
  } catch (cause) {
    await end('SIGKILL')
    throw cause
  }
}

/** Starts it on an empty store of this kind, which `dispose` removes too. */
export async function startServerOn(
  kind: StoreKind,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const place = await kind.place()
  const key = { ABODE_MASTER_KEY: '07'.repeat(32) }
  const env = { ...settings, ...key, ...(place.uri !== undefined && { MONGODB_URI: place.uri }) }
  const server = await startServer({ env })
  return {
    ...server,
    async dispose() {
      await server.dispose()
      await place.remove()
    },
  }
}

export interface Ended {
  out: string
  err: string
  /** Null when a signal ended it. */
  code: number | null
}

/** Runs a command of the service to its end, with these settings alone. */
export function runCommand(
  name: string,
  words: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  return runToEnd(program, [name, ...words], env)
}

/** Runs a program to its end, with these settings alone. */
export function runToEnd(
  file: string,
  words: readonly string[],
  env: Record<string, string>,
): Promise<Ended> {
  const all = { ...surroundings(), ...env }
  return endOf(spawn(process.execPath, [file, ...words], { env: all }))
}

/** How a program ends, with all that it has written. */
export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  // An exit event gives the code first.
  return { out, err, code: code as number | null }
}

/** The settings of the machine, without any of the service's own that happen to be set. */
function inherited(): NodeJS.ProcessEnv {
  const own = /^(ABODE_|MONGODB_|PUBLIC_URL|HOST$|STRIPE_|OPENAI_|ANTHROPIC_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)))
}

function listening(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      reject(new Error(`the server ${why}:\n${lines.join('\n')}`))
    }
    const timer = setTimeout(() => fail('did not listen in time'), startsWithinMs)
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line)
        const url = urlIn(line)
        if (url === undefined) return
        clearTimeout(timer)
        resolve(url)
      })
    }
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
}

/** The address in the line that says where it listens. */
function urlIn(line: string): string | undefined {
  if (!line.startsWith('{') || !line.includes('listening')) return undefined
  // The server's own log: one object a line.
  const { url } = JSON.parse(line) as { url?: string }
  return url
}
