import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { StoreUnusable } from './unusable.ts'

const reasons: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'nothing can be made there'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['EEXIST', 'it is a file'],
  ['EROFS', 'the file system can only be read'],
])

/**
 * Creates the data folder and its parents if they are missing, each accessible to its owner only.
 * @throws StoreUnusable
 */
export function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    throw new StoreUnusable(
      `The data folder ${folder} cannot be made: ${reasons.get(code) ?? String(cause)}. ` +
        'Set DATA_DIR to a folder that this user may write.',
      { cause },
    )
  }
}

/**
 * Creates a folder and its parents if they are missing, each accessible to its owner only: folder by folder, because
 * Node's recursive mkdir never ends on systems that refuse to create folders, such as `/proc`.
 * @throws what the file system says
 */
export function makeFolders(path: string): void {
  make(resolve(path))
}

function make(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) make(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (cause) {
    // Another process may have created it just now.
    if (!isFolder(path)) throw cause
  }
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
