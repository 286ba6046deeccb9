import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#adapters/config/read.ts'
import { StoreUnusable } from '#adapters/store/unusable.ts'
import type { Log } from '#src/ports/log.ts'

const markIn = (folder: string): string => join(folder, 'abode.paused')

/** From its next start on a server on the data folder does no work by itself. */
export async function pause(folder: string): Promise<void> {
  await writeFile(
    markIn(folder),
    'Restored: `abode restore --go-on` lets schedules and runs go on.\n',
    {
      mode: 0o600,
    },
  )
}

export function isPaused(folder: string): boolean {
  return existsSync(markIn(folder))
}

/** A restore that was broken off leaves no store, in whose place a new one would begin. @throws StoreUnusable */
export function mustBeRestored(folder: string): void {
  if (!isPaused(folder) || existsSync(join(folder, 'abode.db'))) return
  throw new StoreUnusable(
    `A restore into ${folder} was broken off: do it again, or remove abode.paused there for a new store.`,
  )
}

/** From its next start on a server works again. */
export async function goOn(folder: string): Promise<void> {
  await rm(markIn(folder), { force: true })
}

/** What a process does: on a store that was restored only `api`, as the rest may have been done after its backup. */
export function rolesOf({ work, mongodbUri, dataDir }: Config, log: Log): Config['work'] {
  if (mongodbUri !== undefined || !isPaused(dataDir)) return work
  log.warn('restored, and paused until `abode restore --go-on` and another start', {
    data: dataDir,
  })
  return work.filter((role) => role === 'api')
}
