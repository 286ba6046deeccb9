import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Unavailable } from '#src/ports/store.ts'
import { withoutSecrets } from '#adapters/compose/about.ts'
import {
  complained,
  complainedOfSettings,
  mustBeUnused,
  run,
  said,
  say,
  StoreInUse,
} from './command.ts'
import { exits, type Exit } from './exits.ts'
import { readConfig } from '#adapters/config/read.ts'
import { Misused } from './arguments.ts'
import { asksForHelp, placesOf, usage, type Place } from './copy/arguments.ts'
import { copyStore, type Copied, type Terms } from './copy/copy.ts'
import { NotCopied, type Side } from './copy/side.ts'
import { progress } from './operated/progress.ts'
import { folderFiles } from '#adapters/files/folder.ts'
import {
  checkOf,
  givenKey,
  masterKeyFor,
  MasterKeyUnusable,
  mustBeNoPartOfCopy,
  replaceKeyFile,
  wasBegun,
} from '#adapters/compose/master-key.ts'
import { hasStore, openStore } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'

await run(copy)

/** The operator's command, from its arguments to its exit code. */
async function copy(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  if (asksForHelp(words)) return said(usage)
  try {
    // When a folder is moved into a database, its key may be in that folder only.
    const { MONGODB_URI: mongodbUri, ...settings } = env
    const config = readConfig(settings)
    const { from, to, isJson } = placesOf(words, { dataDir: config.dataDir, mongodbUri })
    const telling = { say: isJson ? () => undefined : say, told: progress() }
    const copied = await copyBetween(from, to, config.masterKey, telling)
    const shown = { from: nameOf(from), to: nameOf(to), ...copied }
    if (isJson) return said(`${JSON.stringify(shown)}\n`)
    return said(`Done: ${howToStart(config.masterKey ? undefined : from, to)}\n`)
  } catch (cause) {
    return exitOf(cause)
  }
}

/** @throws StoreInUse, NotCopied, StoreUnusable, MasterKeyUnusable, Unavailable */
async function copyBetween(
  from: Place,
  to: Place,
  configured: Buffer | undefined,
  telling: Pick<Terms, 'say' | 'told'>,
): Promise<Copied> {
  // A mistyped folder would become an empty store, and so would its copy.
  if (!hasStore(from)) throw notThere(from)
  if (from.uri !== undefined && !configured) {
    throw new MasterKeyUnusable('ABODE_MASTER_KEY must be set to the master key of the database.')
  }
  await mustBeUnused(from)
  await mustBeUnused(to)
  return within(from, async (source) => {
    await mustBeNoPartOfCopy(source.store)
    if (!(await wasBegun(source.store))) throw notThere(from)
    const key = await masterKeyFor(source.store, configured, from.folder)
    await mustTakeKey(to, key)
    const release = await heldStill(from)
    try {
      return await within(to, async (target) => {
        // Before any server can start on the copy.
        const keep = async (): Promise<void> => {
          if (to.uri === undefined) await replaceKeyFile(to.folder, key)
        }
        const terms = { check: checkOf(key), from: nameOf(from), keep, ...telling }
        return copyStore(source, target, terms)
      })
    } finally {
      release()
    }
  })
}

async function within<T>(place: Place, work: (side: Side) => Promise<T>): Promise<T> {
  const store = await openStore(place)
  const files = store.files ?? folderFiles(join(place.folder, 'files'))
  try {
    return await work({ store, files })
  } finally {
    await files.close()
    await store.close()
  }
}

async function heldStill({ uri, folder }: Place): Promise<() => void> {
  if (uri !== undefined) return () => undefined
  const sqlite = await import('#adapters/store/sqlite/use/held.ts')
  return sqlite.heldStill(folder)
}

/** The key of another store must not be lost. */
async function mustTakeKey({ uri, folder }: Place, key: Buffer): Promise<void> {
  if (uri !== undefined || !existsSync(join(folder, 'master.key'))) return
  if ((await givenKey(undefined, folder)).equals(key)) return
  throw new NotCopied(`There is a master.key of another store in ${folder}.`)
}

function notThere(place: Place): StoreUnusable {
  return new StoreUnusable(`No server has created a store in ${nameOf(place)}.`)
}

function nameOf({ uri, folder }: Place): string {
  return uri === undefined ? folder : withoutSecrets(uri)
}

/** @param from where the key was read from; undefined if it was given */
function howToStart(from: Place | undefined, to: Place): string {
  if (to.uri === undefined) return `start the server with DATA_DIR=${to.folder}.`
  const key = from ? `the key in ${join(from.folder, 'master.key')}` : 'the same key'
  return `start the server with MONGODB_URI, and ${key} as ABODE_MASTER_KEY.`
}

/** @throws any error that is a bug */
function exitOf(cause: unknown): Exit {
  if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usage)
  const exit = complainedOfSettings(cause)
  if (exit !== undefined) return exit
  if (cause instanceof NotCopied || cause instanceof StoreInUse) {
    return complained(exits.refused, cause.message)
  }
  if (cause instanceof Unavailable) {
    return complained(exits.unavailable, 'A store does not answer. Call this command again.')
  }
  throw cause
}
