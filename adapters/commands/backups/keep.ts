import { mkdtemp, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { BackupPlace, BucketAccess } from '#adapters/config/backup.ts'
import { removeAbandoned } from './abandoned.ts'
import { BackupBucket } from './bucket.ts'
import { takeBackup, type Taken, type Taking } from './take.ts'

/** A backup that is to be kept somewhere. */
export interface Keeping extends Omit<Taking, 'to'> {
  to: BackupPlace
  access: BucketAccess
}

/** How a folder in which a backup waits to be sent begins. */
const waiting = '.backup-'

/**
 * Takes a backup and keeps it at its place; older ones than so many go once it is there.
 * @throws BucketUnavailable, and as `takeBackup`
 */
export async function keepBackup({ to, access, ...taking }: Keeping): Promise<Taken> {
  if ('folder' in to) return takeBackup({ ...taking, to: to.folder })
  using bucket = await BackupBucket.open(to, access)
  // Before the work: a wrong key or name is told at once.
  await bucket.names()
  await removeAbandoned(taking.dataDir, waiting, taking.now)
  const own = await mkdtemp(join(taking.dataDir, waiting))
  try {
    const taken = await takeBackup({ ...taking, to: own })
    const path = await bucket.send(taken.path, basename(taken.path))
    const removed = (await bucket.names()).slice(taking.keep)
    for (const name of removed) await bucket.remove(name)
    return { ...taken, path, removed }
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}
