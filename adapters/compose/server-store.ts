import type { OpenedStore } from '#adapters/store/opened.ts'
import { readConfig } from '#adapters/config/read.ts'
import { masterKeyFor, mustBeNoPartOfCopy, wasBegun } from './master-key.ts'
import { hasStore, openStore } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'

/**
 * The store of a server that has run with these settings. That server may keep running.
 * @throws ConfigFaults, StoreUnusable, MasterKeyUnusable
 */
export async function storeOfServer(env: NodeJS.ProcessEnv): Promise<OpenedStore> {
  const { mongodbUri: uri, dataDir: folder, masterKey } = readConfig(env)
  const place = { uri, folder }
  // A mistyped folder would become an empty store, in which nothing is ever found.
  if (!hasStore(place)) throw notThere(folder)
  // Only a server upgrades: a command next to one of before would keep that from writing.
  const store = await openStore(place, { mayUpgrade: false })
  try {
    await mustBeNoPartOfCopy(store)
    if (!(await wasBegun(store))) throw notThere(uri === undefined ? folder : 'the database')
    // A caller without the key of this store must not use it.
    await masterKeyFor(store, masterKey, folder)
    return store
  } catch (cause) {
    await store.close()
    throw cause
  }
}

function notThere(where: string): StoreUnusable {
  return new StoreUnusable(
    `No server has created a store in ${where}: give DATA_DIR or MONGODB_URI as the server has it.`,
  )
}
