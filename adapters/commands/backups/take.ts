import { chmod, copyFile, constants, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkId, copyId, copyWords } from '#adapters/compose/master-key.ts'
import { makeFolders } from '#adapters/store/folder.ts'
import { databaseCopied } from '#adapters/store/sqlite/use/backup.ts'
import { removeAbandoned } from './abandoned.ts'
import { backupsIn, databaseName, filesName, fingerprintOf } from './manifest.ts'
import { manifestName, nameAt, type BackedUp, type Manifest } from './manifest.ts'

export interface Taking {
  dataDir: string
  /** The folder of backups, which is made where it is missing. */
  to: string
  /** So many of the newest stay there; the others are removed once this one is complete. */
  keep: number
  version: string
  now: Date
}

export interface Taken {
  path: string
  files: number
  bytes: number
  removed: string[]
}

/**
 * Backs an embedded store up while servers use it: the database of one moment, then the files, of which those that it
 * refers to are there. A backup has its name once all of it is on the disk.
 * @throws StoreUnusable, and what the file system says
 */
export async function takeBackup({ dataDir, to, keep, version, now }: Taking): Promise<Taken> {
  makeFolders(to)
  const name = nameAt(now)
  const draft = join(to, `.${name}.${process.pid}`)
  try {
    await mkdir(draft, { mode: 0o700 })
    const database = join(draft, databaseName)
    const about = { id: checkId, partId: copyId, partWords: copyWords }
    const facts = await databaseCopied(join(dataDir, databaseName), database, about)
    await synced(database)
    const paths = [databaseName, ...(await filesCopied(dataDir, draft))]
    const files: BackedUp[] = []
    for (const path of paths) files.push({ path, ...(await fingerprintOf(join(draft, path))) })
    const manifest: Manifest = {
      format: 1,
      version,
      taken_at: now.toISOString(),
      form: facts.form,
      key_check: facts.fact,
      files,
    }
    await written(join(draft, manifestName), `${JSON.stringify(manifest, null, 1)}\n`)
    await rename(draft, join(to, name))
    await synced(to)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    return {
      path: join(to, name),
      files: files.length - 1,
      bytes,
      removed: await thinned(to, keep, now),
    }
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    throw cause
  }
}

/** Copies what is complete; returns the paths below the backup. */
async function filesCopied(dataDir: string, draft: string): Promise<string[]> {
  const copied: string[] = []
  const folders = await readdir(join(dataDir, filesName)).catch(() => [])
  for (const folder of folders) {
    const from = join(dataDir, filesName, folder)
    const names = (await readdir(from)).filter((name) => !name.startsWith('.'))
    if (names.length > 0) {
      await mkdir(join(draft, filesName, folder), { recursive: true, mode: 0o700 })
    }
    for (const name of names) {
      const path = `${filesName}/${folder}/${name}`
      const target = join(draft, path)
      try {
        await copyFile(join(from, name), target, constants.COPYFILE_FICLONE)
      } catch (cause) {
        // It was deleted meanwhile.
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') continue
        throw cause
      }
      await chmod(target, 0o600)
      await synced(target)
      copied.push(path)
    }
  }
  return copied
}

async function written(path: string, text: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(text)
  await file.sync()
}

async function synced(path: string): Promise<void> {
  await using file = await open(path, 'r')
  await file.sync()
}

async function thinned(to: string, keep: number, now: Date): Promise<string[]> {
  const old = (await backupsIn(to)).slice(keep)
  for (const name of old) await rm(join(to, name), { recursive: true })
  await removeAbandoned(to, '.abode-', now)
  return old
}
