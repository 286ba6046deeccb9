import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Misused } from '../arguments.ts'
import { calledAs } from '../called.ts'

export const usage = `${calledAs('copy-store')} --from PLACE --to PLACE [--json]

Copies a whole store into an empty one: every document and every file. A place is the data folder of
an embedded store, or the address of a MongoDB database (mongodb://…, mongodb+srv://…). Without
--from it is DATA_DIR, and without --to it is MONGODB_URI, so that no password stands on the command
line. Stop every server of both first. Called again after an interruption it goes on: what is there
already is compared, and written only where it has changed since. Progress is on standard error.

The master key stays the same. That of a folder is read from its file master.key, unless
ABODE_MASTER_KEY is set; that of a database is ABODE_MASTER_KEY, and a copy into a folder writes it
into master.key there.
`

/** Where a store is: in the database at the URI if there is one, else in the folder. */
export interface Place {
  uri: string | undefined
  folder: string
}

/** What the server's settings say where the arguments do not. */
export interface Settings {
  dataDir: string
  mongodbUri: string | undefined
}

/** Whether the arguments only ask for help. */
export function asksForHelp(words: readonly string[]): boolean {
  return words.length === 1 && ['help', '--help', '-h'].includes(words[0] ?? '')
}

/** @throws Misused */
export function placesOf(
  words: readonly string[],
  settings: Settings,
): { from: Place; to: Place; isJson: boolean } {
  const { from = settings.dataDir, to = settings.mongodbUri, json: isJson = false } = parsed(words)
  if (to === undefined) throw new Misused('Say where to: --to, or MONGODB_URI.')
  const places = { from: placeAt(from), to: placeAt(to) }
  if (JSON.stringify(places.from) !== JSON.stringify(places.to)) return { ...places, isJson }
  throw new Misused('--from and --to are the same place.')
}

function parsed(words: readonly string[]): { from?: string; to?: string; json?: boolean } {
  const text = { type: 'string' } as const
  const json = { type: 'boolean' } as const
  try {
    const { values } = parseArgs({ args: [...words], options: { from: text, to: text, json } })
    if (values.from !== '' && values.to !== '') return values
  } catch (cause) {
    // The quoted text may be an address with its password.
    throw new Misused('The arguments are --from PLACE and --to PLACE.', { cause })
  }
  throw new Misused('A place is a folder or an address.')
}

function placeAt(word: string): Place {
  if (/^mongodb(\+srv)?:\/\//.test(word)) return { uri: word, folder: '' }
  // A mistyped address would become a folder named after its password.
  if (/^\s*(?:[\w+.-]+:\/\/|mongodb(?:\+srv)?:)/i.test(word)) {
    throw new Misused('An address begins with mongodb:// or mongodb+srv://.')
  }
  return { uri: undefined, folder: existsSync(word) ? realpathSync(word) : resolve(word) }
}
