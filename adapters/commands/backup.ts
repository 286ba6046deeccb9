import { versionOfPackage } from '#adapters/compose/about.ts'
import { readConfig } from '#adapters/config/read.ts'
import { hasStore } from '#adapters/store/open.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import { backupAsked, backupUsage } from './backups/arguments.ts'
import { failedBackup } from './backups/failed.ts'
import { keepBackup } from './backups/keep.ts'
import { Misused } from './arguments.ts'
import { run, said } from './command.ts'
import { type Exit } from './exits.ts'

await run(backUp)

/** The operator's command, from its arguments to its exit code. */
async function backUp(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = backupAsked(words)
    if (!asked) return said(backupUsage)
    const { dataDir, mongodbUri, backup, bucketAccess: access } = readConfig(env)
    const to = asked.to ?? backup.to
    if (to === undefined) throw new Misused('Say where to: --to PLACE, or ABODE_BACKUP.')
    if (mongodbUri !== undefined) {
      throw new StoreUnusable(
        'MONGODB_URI is set: back that database up with its own tools, such as mongodump.',
      )
    }
    if (!hasStore({ folder: dataDir })) {
      throw new StoreUnusable(`No server has created a store in ${dataDir}.`)
    }
    const keep = asked.keep ?? backup.keep
    const version = versionOfPackage()
    const taken = await keepBackup({ dataDir, to, access, keep, version, now: new Date() })
    if (asked.isJson) return said(`${JSON.stringify(taken)}\n`)
    const removed = taken.removed.length > 0 ? ` Removed ${taken.removed.length} older.` : ''
    return said(
      `Backed up the database and ${taken.files} files, ${taken.bytes} bytes.${removed}\n${taken.path}\n`,
    )
  } catch (cause) {
    return failedBackup(cause, backupUsage)
  }
}
