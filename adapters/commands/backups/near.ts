import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BackupPlace, BucketAccess } from '#adapters/config/backup.ts'
import { makeFolders } from '#adapters/store/folder.ts'
import { BackupBucket } from './bucket.ts'
import { backupName, BackupUnusable } from './manifest.ts'

/** A backup, or a folder of them, on this machine. What was fetched for it goes at the end. */
export interface Near extends AsyncDisposable {
  folder: string
  /** Of the backup in its bucket. */
  address?: string
}

/**
 * Fetches the backup that a place in a bucket names, or its newest, next to where it is to be put.
 * @throws BackupUnusable, BucketUnavailable, and what the file system says
 */
export async function backupNear(
  from: BackupPlace,
  to: string,
  access: BucketAccess,
): Promise<Near> {
  if ('folder' in from) return { folder: from.folder, [Symbol.asyncDispose]: async () => undefined }
  const { bucket: name, prefix } = from
  const steps = prefix.split('/').slice(0, -1)
  const last = steps.at(-1) ?? ''
  const above = steps
    .slice(0, -1)
    .map((step) => `${step}/`)
    .join('')
  const isOne = backupName.test(last)
  using bucket = await BackupBucket.open({ bucket: name, prefix: isOne ? above : prefix }, access)
  const wanted = isOne ? last : (await bucket.names())[0]
  if (wanted === undefined) {
    throw new BackupUnusable(`There is no complete backup at s3://${name}/${prefix}.`)
  }
  const around = dirname(resolve(to))
  makeFolders(around)
  const own = await mkdtemp(join(around, '.abode-fetched-'))
  const remove = (): Promise<void> => rm(own, { recursive: true, force: true })
  const folder = join(own, wanted)
  try {
    await mkdir(folder)
    await bucket.fetch(wanted, folder)
  } catch (cause) {
    await remove()
    throw cause
  }
  return {
    folder,
    address: `s3://${name}/${isOne ? above : prefix}${wanted}`,
    [Symbol.asyncDispose]: remove,
  }
}
