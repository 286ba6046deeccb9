import { versionOfPackage } from '#adapters/compose/about.ts'
import { readConfig } from '#adapters/config/read.ts'
import { hasStore } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { backupAsked, backupUsage } from './backups/arguments.ts'
import { failedBackup } from './backups/failed.ts'
import { takeBackup } from './backups/take.ts'
import { run, said } from './command.ts'
import { type Exit } from './exits.ts'

await run(backUp)

/** The operator's command, from its arguments to its exit code. */
async function backUp(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = backupAsked(words)
    if (!asked) return said(backupUsage)
    const { dataDir, mongodbUri } = readConfig(env)
    if (mongodbUri !== undefined) {
      throw new StoreUnusable(
        'MONGODB_URI is set: back that database up with its own tools, such as mongodump.',
      )
    }
    if (!hasStore({ folder: dataDir })) {
      throw new StoreUnusable(`No server has created a store in ${dataDir}.`)
    }
    const { to, keep, isJson } = asked
    const version = versionOfPackage()
    const taken = await takeBackup({ dataDir, to, keep, version, now: new Date() })
    if (isJson) return said(`${JSON.stringify(taken)}\n`)
    const removed = taken.removed.length > 0 ? ` Removed ${taken.removed.length} older.` : ''
    return said(
      `Backed up the database and ${taken.files} files, ${taken.bytes} bytes.${removed}\n${taken.path}\n`,
    )
  } catch (cause) {
    return failedBackup(cause, backupUsage)
  }
}
