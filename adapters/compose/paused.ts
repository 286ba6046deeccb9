import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#adapters/config/read.ts'
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
