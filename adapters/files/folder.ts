import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { isFileId, type Files } from '#src/ports/files.ts'
import { Unavailable } from '#src/ports/store.ts'

/** Errors of the file system rather than of the request. */
const outages: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'EBUSY',
  'EEXIST',
  'ENOTDIR',
  'ESTALE',
])

const folderMode = 0o700
const fileMode = 0o600
/** The prefix of unfinished uploads; no id begins with it. */
const unfinished = '.'

/**
 * Files of a folder, spread over 256 subfolders, readable by their owner only. Folders are made when
 * needed.
 */
export function folderFiles(folder: string): Files {
  return new FolderFiles(folder)
}

class FolderFiles implements Files {
  readonly #folder: string
  readonly #underWay = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(id: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(id)
    await this.#pass(async () => {
      const folder = dirname(path)
      await this.#makeFolder(folder)
      const draft = join(folder, `${unfinished}${id}.${randomUUID()}`)
      try {
        await written(draft, bytes)
        await rename(draft, path)
      } catch (cause) {
        await rm(draft, { force: true }).catch(() => undefined)
        throw cause
      }
      // Until the folder is synced too, a crash may lose the name.
      await synced(folder)
    })
  }

  async read(id: string, range?: { start: number; end: number }): Promise<Uint8Array | undefined> {
    const path = this.#pathOf(id)
    return this.#pass(async () => {
      const file = await ifThere(open(path, 'r'))
      if (!file) return undefined
      try {
        return await stretch(file, range)
      } finally {
        await file.close()
      }
    })
  }

  async delete(ids: readonly string[]): Promise<void> {
    const paths = ids.map((id) => this.#pathOf(id))
    await this.#pass(async () => {
      for (const path of paths) await rm(path, { force: true })
    })
  }

  async keptBefore(time: Date, after: string, limit: number): Promise<string[]> {
    return this.#pass(async () => {
      const begun = after === '' ? '' : shelfOf(after)
      const found: string[] = []
      const shelves = await namesIn(this.#folder)
      for (const shelf of shelves) {
        if (shelf < begun) continue
        const ids = await this.#keptOn(shelf, time, shelf === begun ? after : '')
        found.push(...ids.slice(0, limit - found.length))
        if (found.length >= limit) break
      }
      return found
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#underWay)
  }

  /** Ids in one folder that are old enough; drafts of that age were interrupted, and are deleted. */
  async #keptOn(shelf: string, time: Date, after: string): Promise<string[]> {
    const ids: string[] = []
    for (const name of await namesIn(join(this.#folder, shelf))) {
      const isDraft = name.startsWith(unfinished)
      if (!isDraft && (name <= after || !isFileId(name))) continue
      const path = join(this.#folder, shelf, name)
      const facts = await ifThere(stat(path))
      if (!facts || facts.mtime >= time) continue
      if (isDraft) await rm(path, { force: true })
      else ids.push(name)
    }
    return ids
  }

  #pathOf(id: string): string {
    if (!isFileId(id)) throw new RangeError('this is not the id of a file')
    return join(this.#folder, shelfOf(id), id)
  }

  async #makeFolder(folder: string): Promise<void> {
    const made = await mkdir(folder, { recursive: true, mode: folderMode })
    if (made === undefined) return
    await synced(this.#folder)
    await synced(dirname(this.#folder))
  }

  async #pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Unavailable('the files are closed')
    const working = work()
    this.#underWay.add(working)
    try {
      return await working
    } catch (cause) {
      throw isOutage(cause) ? new Unavailable('the files cannot be used', { cause }) : cause
    } finally {
      this.#underWay.delete(working)
    }
  }
}

/** The subfolder of an id: ids begin alike, so a checksum spreads them. */
function shelfOf(id: string): string {
  return (crc32(id) & 0xff).toString(16).padStart(2, '0')
}

async function written(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', fileMode)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function synced(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((cause: unknown) => {
    // Windows cannot open folders, and persists their names by itself.
    if (process.platform === 'win32') return undefined
    throw cause
  })
  if (!handle) return
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function stretch(
  file: FileHandle,
  range: { start: number; end: number } | undefined,
): Promise<Uint8Array> {
  const { size } = await file.stat()
  const start = Math.min(range?.start ?? 0, size)
  const end = Math.max(start, Math.min(range?.end ?? size, size))
  const bytes = Buffer.allocUnsafeSlow(end - start)
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

async function namesIn(folder: string): Promise<string[]> {
  return ((await ifThere(readdir(folder))) ?? []).sort()
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

function isOutage(cause: unknown): boolean {
  return outages.has(codeOf(cause))
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? cause.code : undefined
}
