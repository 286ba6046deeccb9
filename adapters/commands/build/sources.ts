import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { root, sourceFolders } from '#adapters/process/build.js'

/** All modules of the product, as paths below the root. */
export async function sourcePaths(): Promise<string[]> {
  const all = await Promise.all(
    sourceFolders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true })
      return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name))
    }),
  )
  return all.flat()
}
