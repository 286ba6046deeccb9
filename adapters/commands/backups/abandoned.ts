import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const dayMs = 86_400_000

/** Removes what processes have left in a folder that were killed at work: names that begin so, after a day. */
export async function removeAbandoned(folder: string, beginning: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(beginning)) continue
    const path = join(folder, name)
    const { mtimeMs } = await stat(path)
    if (now.getTime() - mtimeMs > dayMs) await rm(path, { recursive: true, force: true })
  }
}
