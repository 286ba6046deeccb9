import { givenKey } from '#adapters/compose/master-key.ts'
import { goOn, isPaused } from '#adapters/compose/paused.ts'
import { readConfig } from '#adapters/config/read.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { restoreAsked, restoreUsage } from './backups/arguments.ts'
import { failedBackup } from './backups/failed.ts'
import { BackupUnusable } from './backups/manifest.ts'
import { backupNear } from './backups/near.ts'
import { putBack } from './backups/put-back.ts'
import { run, said } from './command.ts'
import { type Exit } from './exits.ts'

await run(restore)

/** The operator's command, from its arguments to its exit code. */
async function restore(words: readonly string[], env: NodeJS.ProcessEnv): Promise<Exit> {
  try {
    const asked = restoreAsked(words)
    if (!asked) return said(restoreUsage)
    const { dataDir, masterKey, bucketAccess } = readConfig(env)
    const to = asked.to ?? dataDir
    if (asked.from === undefined) return await released(to, asked.isJson)
    const isKnown = masterKey !== undefined || existsSync(join(to, 'master.key'))
    const key = isKnown ? await givenKey(masterKey, to) : undefined
    await using near = await backupNear(asked.from, to, bucketAccess)
    const { path: found, manifest } = await putBack({ from: near.folder, to, key })
    const path = near.address ?? found
    if (asked.isJson) {
      const { taken_at, version, files } = manifest
      return said(
        `${JSON.stringify({ path, to, taken_at, version, files: files.length - 1, paused: true })}\n`,
      )
    }
    return said(
      `Restored ${path} into ${to}. It is paused: look at it, then call this with --go-on.\n` +
        (isKnown ? '' : `Put the master key of the backup into ${join(to, 'master.key')} first.\n`),
    )
  } catch (cause) {
    return failedBackup(cause, restoreUsage)
  }
}

async function released(folder: string, isJson: boolean): Promise<Exit> {
  if (!isPaused(folder)) throw new BackupUnusable(`The store in ${folder} is not paused.`)
  await goOn(folder)
  if (isJson) return said(`${JSON.stringify({ to: folder, paused: false })}\n`)
  return said('From its next start on, a server there works by itself again.\n')
}
