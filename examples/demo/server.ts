import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../adapters/abode.js', import.meta.url))
const startsWithinMs = 30_000

/** A server of the demo's own. */
export interface OwnServer {
  /** Without a final slash. */
  url: string
  /** What it keeps its data in, in words. */
  store: string
  /** What it has warned of so far, line by line. */
  warnings: readonly string[]
  /** Stops it as an operator would, and removes what it kept. @throws Error when it does not stop well */
  stop(): Promise<void>
}

/**
 * Starts the server on a free port, with a data folder of its own; on MongoDB where MONGODB_URI
 * names one.
 * @param allow the origin that its guarded fetch may reach although it is private
 * @param interrupted aborted when the demo is to end
 * @throws Error with what the server wrote when it does not start
 */
export async function startOwnServer(allow: string, interrupted: AbortSignal): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'abode-demo-'))
  const database = databaseFor(process.env)
  const child = spawn(process.execPath, [program], {
    env: {
      ...ambient(process.env),
      ...database?.env,
      PORT: '0',
      DATA_DIR: folder,
      ABODE_OUTBOUND_ALLOW: allow,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const lines = linesOf(child)
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true })
    await database?.drop()
  }
  try {
    const url = await addressOf(child, lines, interrupted)
    const store = database ? `MongoDB (${database.words})` : 'the embedded store, in a new folder'
    return {
      url,
      store,
      get warnings() {
        return lines.all.filter((line) => /"level":"(?:warn|error)"/.test(line))
      },
      async stop() {
        child.kill('SIGTERM')
        await exited
        await remove()
        if (child.exitCode !== 0) throw new Error(`the server stopped with ${child.exitCode}`)
      },
    }
  } catch (cause) {
    child.kill('SIGKILL')
    await exited
    await remove()
    throw cause
  }
}

/** The settings of the machine, without any of the service's that happen to be set. */
function ambient(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(ABODE_|MONGODB_URI$|PUBLIC_URL$|HOST$)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)))
}

interface Database {
  env: { MONGODB_URI: string; ABODE_MASTER_KEY: string }
  words: string
  drop(): Promise<void>
}

/**
 * The database to play on. With a master key it is the one that MONGODB_URI names. Without one the
 * demo makes a key, and a database that goes with it: one begun with a key that is then forgotten
 * would be of no use to anybody.
 */
function databaseFor({ MONGODB_URI: uri, ABODE_MASTER_KEY: key }: NodeJS.ProcessEnv) {
  if (uri === undefined) return undefined
  if (key !== undefined) {
    const env = { MONGODB_URI: uri, ABODE_MASTER_KEY: key }
    return { env, words: 'its database as it is', drop: async () => undefined } satisfies Database
  }
  const name = `abode_demo_${randomBytes(6).toString('hex')}`
  const own = inDatabase(uri, name)
  return {
    env: { MONGODB_URI: own, ABODE_MASTER_KEY: randomBytes(32).toString('hex') },
    words: `a new database, ${name}`,
    drop: () => dropDatabase(own),
  } satisfies Database
}

function inDatabase(uri: string, name: string): string {
  const [, hosts, query = ''] =
    /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri) ?? []
  if (hosts === undefined) throw new Error('MONGODB_URI is no address of a MongoDB server')
  return `${hosts}/${name}${query}`
}

async function dropDatabase(uri: string): Promise<void> {
  const { MongoClient } = await import('mongodb')
  const client = new MongoClient(uri)
  try {
    await client.db().dropDatabase()
  } finally {
    await client.close()
  }
}

interface Lines {
  /** What the server has written so far. */
  all: readonly string[]
  /** The next lines that it writes. */
  on: (listen: (line: string) => void) => void
}

function linesOf(child: ChildProcess): Lines {
  const all: string[] = []
  const listeners: ((line: string) => void)[] = []
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      all.push(line)
      for (const listen of listeners) listen(line)
    })
  }
  return { all, on: (listen) => void listeners.push(listen) }
}

/** The address that the server logs once it listens. */
function addressOf(child: ChildProcess, lines: Lines, interrupted: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer)
      reject(new Error(`the server ${why}:\n${lines.all.join('\n')}`))
    }
    const timer = setTimeout(() => fail('did not listen in time'), startsWithinMs)
    child.once('close', (code) => fail(`ended with ${code}`))
    interrupted.addEventListener('abort', () => fail('was still starting'))
    lines.on((line) => {
      const url = /"message":"listening".*?"url":"([^"]+)"/.exec(line)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}
