import { Unavailable, type Store } from '#src/ports/store.ts'
import {
  complained,
  complainedOfSettings,
  mustBeUnused,
  run,
  said,
  say,
  StoreInUse,
} from './command.ts'
import { calledAs } from './called.ts'
import { exits, type Exit } from './exits.ts'
import { ConfigFaults, readConfig } from '#adapters/config/read.ts'
import { withSecretFiles } from '#adapters/config/names.ts'
import { masterKey, Wrong } from '#adapters/config/values.ts'
import { mustBeNoPartOfCopy, wasBegun } from '#adapters/compose/master-key.ts'
import { StoreChanged } from './rotation/reseal.ts'
import {
  beginRotation,
  cancelRotation,
  completeRotation,
  type Given,
  type Rotating,
} from './rotation/rotate.ts'
import { hasStore, openStore, type StorePlace } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'

const newKeyName = 'ABODE_NEW_MASTER_KEY'

const usage = `${calledAs('rotate-master-key')}

Gives the store another master key, and seals everything again under it. Stop every server of the
store first. Called again after an interruption, it continues where it stopped.

The store is found by the settings of the server (DATA_DIR, or MONGODB_URI with ABODE_MASTER_KEY).
Where ABODE_MASTER_KEY is set, ${newKeyName} is the new key, and the next start needs it as
ABODE_MASTER_KEY. Else a new one is made, and put into master.key in DATA_DIR.
`

await run(rotate)

/** The operator's command, from its arguments to its exit code. */
async function rotate(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  if (words.length === 1 && ['help', '--help', '-h'].includes(words[0] ?? '')) return said(usage)
  if (words.length > 0) {
    return complained(exits.usage, 'This command takes no arguments.', '', usage)
  }
  try {
    const { wanted, settings } = newKeyIn(env)
    const { mongodbUri: uri, dataDir: folder, masterKey: configured } = readConfig(settings)
    await rotateIn({ uri, folder }, { configured, wanted: newKeyOf(wanted), folder })
    const next = configured ? ` Start with it as ABODE_MASTER_KEY.` : ''
    return said(`Done: the store has the new master key.${next} Keep a copy of it.\n`)
  } catch (cause) {
    return exitOf(cause)
  }
}

/** The text of the new key, which a file may hold too, and the settings of the server. */
function newKeyIn(env: NodeJS.ProcessEnv) {
  const faults: string[] = []
  const read = withSecretFiles(env, [newKeyName], faults)
  if (faults.length > 0) throw new ConfigFaults(faults)
  const { [newKeyName]: wanted, [`${newKeyName}_FILE`]: _, ...settings } = read
  return { wanted, settings }
}

function newKeyOf(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  try {
    return masterKey(text)
  } catch (cause) {
    if (!(cause instanceof Wrong)) throw cause
    throw new ConfigFaults(cause.mistakes.map(({ rule }) => `${newKeyName} ${rule}`))
  }
}

/** @throws StoreInUse, StoreChanged, StoreUnusable, MasterKeyUnusable, Unavailable */
async function rotateIn(place: StorePlace, given: Given): Promise<void> {
  // A mistyped folder would become an empty store, in which nothing is ever found.
  if (!hasStore(place)) throw notThere(place)
  await mustBeUnused(place)
  const rotating = await within(place, async (store) => {
    await mustBeNoPartOfCopy(store)
    if (!(await wasBegun(store))) throw notThere(place)
    return beginRotation(store, given)
  })
  await aloneFromNowOn(place, rotating)
  say(rotating.isNew ? 'Started.' : 'Continuing the interrupted rotation.')
  await within(place, (store) => completeRotation(store, rotating, given, say))
}

/** A server may have started while the rotation began; none can from now on. */
async function aloneFromNowOn(place: StorePlace, { isNew }: Rotating): Promise<void> {
  try {
    await mustBeUnused(place)
  } catch (cause) {
    if (isNew && cause instanceof StoreInUse) await within(place, cancelRotation)
    throw cause
  }
}

async function within<T>(place: StorePlace, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(place)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function notThere({ uri, folder }: StorePlace): StoreUnusable {
  return new StoreUnusable(
    `No server has created a store in ${uri === undefined ? folder : 'the database'}: ` +
      'give DATA_DIR or MONGODB_URI as the server has it.',
  )
}

/** @throws any error that is a bug */
function exitOf(cause: unknown): Exit {
  const exit = complainedOfSettings(cause)
  if (exit !== undefined) return exit
  if (cause instanceof StoreInUse || cause instanceof StoreChanged) {
    return complained(exits.refused, cause.message)
  }
  if (cause instanceof Unavailable) {
    return complained(exits.unavailable, 'The store does not answer. Call this command again.')
  }
  throw cause
}
