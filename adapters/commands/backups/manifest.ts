import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

/** The list of what a backup holds, written last. */
export const manifestName = 'backup.json'
export const databaseName = 'abode.db'
/** The folder of files, in a backup and in a data folder. */
export const filesName = 'files'

const Manifest = z.object({
  /** The form of this list. */
  format: z.literal(1),
  version: z.string(),
  /** The form of the database, its `user_version`. */
  form: z.int(),
  /** RFC 3339. */
  taken_at: z.string(),
  /** What the store remembers of its master key, which itself is not here. */
  key_check: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
})

export type Manifest = z.infer<typeof Manifest>
export type BackedUp = Manifest['files'][number]

/** A backup is not what it was when it was taken, or does not fit here. */
export class BackupUnusable extends Error {
  override readonly name = 'BackupUnusable'
}

/** A path of the list stays below its folder. */
const inside = /^(?:abode\.db|files\/[\w-]+\/[\w.-]+)$/

/** Reads the list of a backup. @throws BackupUnusable */
export async function manifestIn(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch((cause: unknown) => {
    throw new BackupUnusable(`There is no complete backup in ${folder}.`, { cause })
  })
  const { data } = Manifest.safeParse(valueOf(text))
  const has = (name: string): boolean => data?.files.some(({ path }) => path === name) ?? false
  if (data?.files.every(({ path }) => inside.test(path)) && has(databaseName)) return data
  throw new BackupUnusable(`${join(folder, manifestName)} is not the list of a backup.`)
}

/** The value of a text of JSON; undefined if it is none. */
function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a file is known by. */
export async function fingerprintOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') }
}

/** Compares every file of a backup with its list. @throws BackupUnusable that names the first that differs */
export async function checkBackup(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    const found = await fingerprintOf(join(folder, path)).catch(() => undefined)
    if (found === undefined) throw new BackupUnusable(`${path} is missing in ${folder}.`)
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new BackupUnusable(`${path} in ${folder} is not what was backed up.`)
    }
  }
}

/** The names of the complete backups in a folder, the newest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return newestFirst(names.filter((name) => backupName.test(name)))
}

export function newestFirst(names: readonly string[]): string[] {
  return names.toSorted((a, b) => (a < b ? 1 : -1))
}

/** In UTC, so that names sort by age. */
export const backupName = /^abode-\d{8}T\d{9}Z$/

export function nameAt(date: Date): string {
  return `abode-${date.toISOString().replaceAll(/[-:.]/g, '')}`
}
