import { Misused } from '../arguments.ts'
import { complained, complainedOfSettings } from '../command.ts'
import { exits, type Exit } from '../exits.ts'
import { BackupUnusable } from './manifest.ts'
import { BucketUnavailable } from './bucket.ts'

/** What went wrong with a backup, and its exit code. @throws any error that is a bug */
export function failedBackup(cause: unknown, usage: string): Exit {
  if (cause instanceof Misused) return complained(exits.usage, cause.message, '', usage)
  if (cause instanceof BackupUnusable) return complained(exits.refused, cause.message)
  if (cause instanceof BucketUnavailable) {
    return complained(exits.unavailable, `The bucket cannot be used: ${cause.message}`)
  }
  const exit = complainedOfSettings(cause)
  if (exit !== undefined) return exit
  // The disk is full, the folder may not be written to, or a file cannot be read.
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') {
    return complained(exits.unavailable, `Nothing was changed: ${cause.message}`)
  }
  throw cause
}
