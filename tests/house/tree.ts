import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Every file below these folders, by its path from the root. */
export function files(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
}

/** Every TypeScript file below these folders. */
export function sources(...folders: string[]): string[] {
  return files(...folders).filter((path) => path.endsWith('.ts'))
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}
