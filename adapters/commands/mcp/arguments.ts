import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { nearest } from '#src/core/input/nearest.ts'
import { toolsets } from '#src/core/operation-facts.ts'
import { Misused, parsed } from '../arguments.ts'
import { calledAs } from '../called.ts'

/** The parsed command line and environment. */
export type Asked =
  | { command: 'help' }
  | (Common & { command: 'local'; folder: string; isNamed: boolean })
  | (Common & { command: 'remote'; url: string })

interface Common {
  /** Which tools are listed: the query of the door's address. */
  query: string
  /** Where the key is kept, an absolute path. */
  keyFile: string
  /** The caller's own key, used instead of the file. */
  key: string | undefined
  /** A code for a service that issues keys by invitation. */
  invitation: string | undefined
}

export const usage = `${calledAs('mcp').replace('run', 'run --silent')} [options]

Speaks MCP on standard input and output, for hosts that start a local process.

  --data DIR       runs the whole service on an embedded store in this folder (default)
  --url URL        speaks for the service at this base address instead
  --toolsets LIST  the tools that are listed: core (default), all, or others by name
  --readonly       lists only tools that change nothing
  --key-file FILE  where the key is kept that is got at first use

ABODE_KEY brings a key of one's own, ABODE_INVITATION a code for a service that gives keys by invitation.
With --data the settings of the server hold, but for PORT and HOST.
`

const options = {
  data: { type: 'string' },
  url: { type: 'string' },
  toolsets: { type: 'string' },
  readonly: { type: 'boolean' },
  'key-file': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Env = Readonly<Record<string, string | undefined>>

/** @throws Misused */
export function askedFor(words: readonly string[], env: Env, platform = process.platform): Asked {
  const { values, positionals } = parsed(words, options)
  if (positionals[0] !== undefined) {
    throw new Misused(`${JSON.stringify(positionals[0].slice(0, 60))} is no option.`)
  }
  if (values.help) return { command: 'help' }
  if (values.data !== undefined && values.url !== undefined) {
    throw new Misused('--data and --url are two places: give one of them')
  }
  const key = keyOf('ABODE_KEY', env['ABODE_KEY'])
  const invitation = keyOf('ABODE_INVITATION', env['ABODE_INVITATION'])
  const query = queryOf(values.toolsets, values.readonly === true)
  const home = userFolder(env, platform)
  if (values.url !== undefined) {
    const url = baseOf(values.url)
    const name = `${url.replace(/[^A-Za-z0-9.-]+/g, '_')}.json`
    const keyFile = pathOf('--key-file', values['key-file']) ?? join(home, 'mcp-keys', name)
    return { command: 'remote', url, query, keyFile, key, invitation }
  }
  const named = pathOf('--data', values.data)
  const folder = named ?? resolve(env['DATA_DIR'] || home)
  const keyFile = pathOf('--key-file', values['key-file']) ?? join(folder, 'mcp-key.json')
  return { command: 'local', folder, isNamed: named !== undefined, query, keyFile, key, invitation }
}

function pathOf(option: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  if (path === '' || path.includes('\0')) throw new Misused(`${option} names no path`)
  return resolve(path)
}

/** The base address of a service, without a final slash. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Misused('--url is the base address of a service: http:// or https://')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Misused('--url is an address alone, without credentials, query or fragment')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`.replace(/\/mcp$/, '')
}

function queryOf(text = 'core', readonly: boolean): string {
  const query = new URLSearchParams()
  if (text !== 'all') query.set('toolsets', text.split(',').map(toolsetOf).join(','))
  if (readonly) query.set('readonly', 'true')
  return query.toString()
}

function toolsetOf(text: string): string {
  const name = text.trim()
  const known: readonly string[] = [...toolsets, 'all']
  if (known.includes(name) && name !== 'all') return name
  const meant = nearest(name, known)
  const hint = meant ? `, did you mean ${meant}?` : `: ${known.join(', ')}`
  throw new Misused(`--toolsets knows no ${JSON.stringify(name.slice(0, 60))}${hint}`)
}

/** A value that a header can carry; an empty one counts as absent. */
function keyOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text
  const kind = name === 'ABODE_KEY' ? 'key' : 'code'
  throw new Misused(`${name} is no ${kind}: it holds a space or a character that no ${kind} has`)
}

/** Where programs keep their user's data on this system. */
function userFolder(env: Env, platform: NodeJS.Platform): string {
  const home = env['HOME'] || homedir()
  const local = env['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'abode')
  if (platform === 'win32') return join(local, 'abode')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'abode')
}
