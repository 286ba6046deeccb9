import { chmod, copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkOf } from '#adapters/compose/master-key.ts'
import { pause } from '#adapters/compose/paused.ts'
import { makeFolders } from '#adapters/store/folder.ts'
import { schemaVersion } from '#adapters/store/sqlite/upgrade/form.ts'
import { backupsIn, BackupUnusable, checkBackup, databaseName } from './manifest.ts'
import { manifestIn, manifestName, type Manifest } from './manifest.ts'

export interface PuttingBack {
  /** A backup, or a folder of backups, of which the newest is taken. */
  from: string
  /** The data folder, which has no store. */
  to: string
  /** The master key that the server will have, if it is known here. */
  key: Buffer | undefined
}

/**
 * Puts a backup into an empty data folder, once all of it is found as it was taken. The store is paused: a server on it
 * answers, and does no work by itself until it is told to go on.
 * @throws BackupUnusable, and what the file system says
 */
export async function putBack({ from, to, key }: PuttingBack): Promise<{
  path: string
  manifest: Manifest
}> {
  const path = await backupAt(from)
  const manifest = await manifestIn(path)
  if (manifest.form > schemaVersion) {
    throw new BackupUnusable(
      `A newer version of Abode, ${manifest.version}, has taken this backup.`,
    )
  }
  if (key && checkOf(key) !== manifest.key_check) {
    throw new BackupUnusable(
      'The master key here is not that of the backup, whose secrets it cannot open.',
    )
  }
  const database = join(to, databaseName)
  if (existsSync(database)) {
    throw new BackupUnusable(`There is a store in ${to}: name an empty folder.`)
  }
  await checkBackup(path, manifest)
  makeFolders(to)
  // Before there is a database, without which nothing starts on what is put back.
  await pause(to)
  for (const ending of ['-wal', '-shm', '-commits', '-missing']) {
    await rm(`${database}${ending}`, { force: true })
  }
  const [first, ...rest] = manifest.files.toSorted((a) => (a.path === databaseName ? -1 : 1))
  for (const file of rest) await copied(join(path, file.path), join(to, file.path))
  if (first) await copied(join(path, first.path), database)
  return { path, manifest }
}

async function backupAt(from: string): Promise<string> {
  if (existsSync(join(from, manifestName))) return from
  const [newest] = await backupsIn(from)
  return newest === undefined ? from : join(from, newest)
}

async function copied(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const draft = `${to}.draft`
  try {
    await copyFile(from, draft)
    await chmod(draft, 0o600)
    await using file = await open(draft, 'r')
    await file.sync()
    await rename(draft, to)
  } catch (cause) {
    await rm(draft, { force: true })
    throw cause
  }
}
