import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { builds, recordPath, sourcesNow } from '#adapters/process/build.js'

/** Builds that are kept: processes that began with the one before still load parts of it. */
const keptBuilds = 2
/** A build that takes longer was interrupted. */
const longestMs = 600_000

/**
 * Makes a build in a folder of its own, and names it as the current one when all of it is there.
 * @param began when it began: a source that is written later makes it stale
 * @returns the folder
 */
export async function publish(
  began: number,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const { files } = sourcesNow()
  await mkdir(builds, { recursive: true })
  const draft = await mkdtemp(join(builds, 'draft-'))
  await make(draft)
  const id = await digestOf(draft)
  const folder = join(builds, id)
  try {
    await rename(draft, folder)
  } catch (cause) {
    // The same build is there already.
    if (!isOccupied(cause)) throw cause
    await rm(draft, { recursive: true })
  }
  const record = `${recordPath}.${process.pid}`
  await writeFile(record, JSON.stringify({ id, files, began }))
  await rename(record, recordPath)
  await removeOthers(id, keptBuilds)
  return folder
}

/** Of the names and contents of all files. */
async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    hash.update(`${name}\0`).update(await readFile(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

function isOccupied(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM'
}

/**
 * Removes the builds before the last ones, and what interrupted builds have left.
 * @param kept how many builds stay, the current one among them
 */
export async function removeOthers(current: string, kept: number): Promise<void> {
  const names = (await readdir(builds)).filter((name) => name !== current)
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(builds, name))).mtimeMs })),
  )
  const whole = aged.filter(({ name }) => /^[0-9a-f]{16}$/.test(name))
  const drafts = aged.filter(({ name, at }) => {
    return name.startsWith('draft-') && at < Date.now() - longestMs
  })
  const old = whole.toSorted((a, b) => b.at - a.at).slice(kept - 1)
  for (const { name } of [...old, ...drafts]) await rm(join(builds, name), { recursive: true })
}
