import { Misused } from './commands/arguments.ts'
import { exits } from './commands/exits.ts'
import { askedFor, usage, type Asked } from './commands/mcp/arguments.ts'
import { isOpenToOthers, KeyFileUnusable, readKeyFile } from './commands/mcp/key-file.ts'
import { KeyRing } from './commands/mcp/key-ring.ts'
import { speak } from './commands/mcp/speak.ts'
import type { Carrier } from './commands/mcp/relay.ts'
import { loadQuickly } from '#adapters/process/modules.ts'

/** Errors that a person has to fix, or that the store is away; each is printed in lines. */
const forPeople = [
  'ConfigFaults',
  'StoreUnusable',
  'MasterKeyUnusable',
  'RuntimeUnusable',
  'Unavailable',
]

type Served = Exclude<Asked, { command: 'help' }>

// The host reads messages on standard output, so nothing else may be written there.
const messages = process.stdout.write.bind(process.stdout)
process.stdout.write = process.stderr.write.bind(process.stderr)
process.stderr.on('error', () => undefined)

await main(process.argv.slice(2), process.env)

async function main(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const asked = askedFor(words, env)
    if (asked.command === 'help') messages(usage)
    else await serve(asked, env)
  } catch (cause) {
    if (!isForPeople(cause)) throw cause
    say(...cause.message.split('\n'))
    if (cause instanceof Misused) process.stderr.write(`\n${usage}`)
    process.exitCode = exitOf(cause)
  }
}

function exitOf(cause: Error): number {
  if (cause instanceof Misused) return exits.usage
  const isAway = cause.name === 'Unavailable' || ('isAway' in cause && cause.isAway === true)
  return isAway ? exits.unavailable : exits.configuration
}

async function serve(asked: Served, env: NodeJS.ProcessEnv): Promise<void> {
  const service = asked.command === 'local' ? 'local' : asked.url
  const known = asked.key ?? (await keptKey(asked.keyFile, service))
  const { carrier, close } = await opened(asked, env)
  const { keyFile: file, invitation } = asked
  const ring = new KeyRing({ carrier, service, file, known, invitation, say })
  const source = asked.key === undefined ? asked.keyFile : 'ABODE_KEY'
  await speak({
    carrier,
    key: (isNeeded) => ring.key(isNeeded),
    refused: once(() => say(`the key of ${source} is refused: remove it to get another`)),
    close,
    messages,
    say,
  })
}

async function keptKey(file: string, service: string): Promise<string | undefined> {
  const kept = await readKeyFile(file, service)
  if (kept && (await isOpenToOthers(file))) say(`others may read ${file}: chmod 600 it`)
  return kept?.api_key
}

interface Opened {
  carrier: Carrier
  close: () => Promise<void>
}

async function opened(asked: Served, env: NodeJS.ProcessEnv): Promise<Opened> {
  if (asked.command === 'local') return openedInside(asked, env)
  const { remoteCarrier } = await import('./commands/mcp/remote.ts')
  if (isInTheOpen(asked.url)) say(`the key goes to ${asked.url} unencrypted: https would hide it`)
  return { carrier: remoteCarrier(asked), close: () => Promise.resolve() }
}

/** The whole service with its background work, but without a listener. */
async function openedInside(
  { folder, isNamed, query }: Served & { command: 'local' },
  env: NodeJS.ProcessEnv,
): Promise<Opened> {
  loadQuickly()
  const [{ compose }, { readConfig }, { openLog }, { writerOf }, { insideCarrier }] =
    await Promise.all([
      import('#adapters/compose/compose.ts'),
      import('#adapters/config/read.ts'),
      import('#adapters/log/json.ts'),
      import('#adapters/compose/about.ts'),
      import('./commands/mcp/inside.ts'),
    ])
  const { ABODE_KEY: _, ...settings } = env
  const { MONGODB_URI: _uri, ...embedded } = settings
  const config = readConfig({ ...(isNamed ? embedded : settings), DATA_DIR: folder })
  const stream = { write: (line: string) => process.stderr.write(line) }
  // A host that speaks to one process has no use for others.
  const abode = await compose(
    { ...config, processes: 1 },
    { log: openLog({ level: config.logLevel, stream, writer: writerOf('mcp', config.work) }) },
  )
  const { publicUrl } = abode.ports.settings
  return {
    carrier: insideCarrier({ door: await abode.mcp(), publicUrl, query }),
    close: () => abode.close(),
  }
}

function isForPeople(cause: unknown): cause is Error {
  if (cause instanceof Misused || cause instanceof KeyFileUnusable) return true
  // Their classes are loaded only if a service is opened here.
  return cause instanceof Error && forPeople.includes(cause.name)
}

function isInTheOpen(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname)
}

function say(...lines: string[]): void {
  process.stderr.write(lines.map((line) => `abode: ${line}\n`).join(''))
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}
