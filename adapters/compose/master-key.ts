import { randomBytes } from 'node:crypto'
import { link, open, readFile, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sealer } from '#src/core/seal.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { makeFolder } from '#adapters/store/folder.ts'

const keyBytes = 32
/** The id under which the store keeps the check of its key. */
export const checkId = 'master_key'
/** The id under which the store notes that its key is being replaced. */
export const rotationId = 'master_key_rotation'
/** The id under which the store notes that it is becoming a copy of another. */
export const copyId = 'store_copy'

/** What is said of a store in which a copy was broken off, and how it goes on. */
export const copyWords =
  'This store is a copy that was broken off: call copy-store again, which ends it.'

/** The master key is missing, unreadable, or not the one that the store was created with. */
export class MasterKeyUnusable extends Error {
  override readonly name = 'MasterKeyUnusable'
}

/**
 * The key that all other keys derive from: the configured one, else the one in a file of the data
 * folder, which the first start creates.
 * @throws MasterKeyUnusable when it is not the key of this store; StoreUnusable without the folder
 */
export async function masterKeyFor(
  store: Store,
  configured: Buffer | undefined,
  folder: string,
): Promise<Buffer> {
  const facts = [checkId, rotationId, copyId].map((id) => store.meta.get(id))
  const [begun, rotation, copy] = await Promise.all(facts)
  if (copy) throw brokenOff()
  if (rotation) {
    throw new MasterKeyUnusable(
      'The master key of this store is being replaced: call rotate-master-key, which ends it.',
    )
  }
  const file = fileIn(folder)
  const key = configured ?? (begun ? await readKey(file) : await makeKey(folder, file))
  const value = checkOf(key)
  const kept = begun?.value ?? (await keepCheck(store, value))
  if (kept === value) return key
  const source = configured ? 'ABODE_MASTER_KEY' : `The key in ${file}`
  throw new MasterKeyUnusable(
    `${source} is not the master key that this store was created with: what it sealed cannot be opened.`,
  )
}

/** A store without a check of its key may still be the beginning of a copy. @throws MasterKeyUnusable */
export async function mustBeNoPartOfCopy({ meta }: Store): Promise<void> {
  if (await meta.get(copyId)) throw brokenOff()
}

function brokenOff(): MasterKeyUnusable {
  return new MasterKeyUnusable(copyWords)
}

/** What the store remembers of a key; it reveals nothing of the key. */
export function checkOf(key: Buffer): string {
  return sealer(key).derive('master_key_check').toString('hex')
}

/**
 * The configured key, else the one in the file, whether or not it is the store's. @throws
 * MasterKeyUnusable
 */
export async function givenKey(configured: Buffer | undefined, folder: string): Promise<Buffer> {
  return configured ?? readKey(fileIn(folder))
}

/** Replaces the key in the file atomically; once this resolves, the new key is on disk. */
export async function replaceKeyFile(folder: string, key: Buffer): Promise<void> {
  const file = fileIn(folder)
  // Always the same name, so that no drafts of killed processes pile up.
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeKey(draft, key)
  await rename(draft, file)
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function fileIn(folder: string): string {
  return join(folder, 'master.key')
}

/** Whether a server has ever initialised this store. */
export async function wasBegun(store: Store): Promise<boolean> {
  return (await store.meta.get(checkId)) !== undefined
}

/** Among processes that start at once on an empty store, one stores its check, and all get that one. */
async function keepCheck(store: Store, value: string): Promise<string> {
  try {
    await store.meta.insert({ id: checkId, value })
    return value
  } catch (cause) {
    if (!(cause instanceof DuplicateKey)) throw cause
    return (await store.meta.get(checkId))?.value ?? value
  }
}

async function readKey(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new MasterKeyUnusable(
      `The master key of this store was kept in ${file}, which cannot be read. Put it back, or set ABODE_MASTER_KEY.`,
      { cause },
    )
  })
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length === keyBytes) return key
  throw new MasterKeyUnusable(`${file} does not hold a master key: 64 hexadecimal digits.`)
}

export function newMasterKey(): Buffer {
  return randomBytes(keyBytes)
}

/** Readable by its owner only, and on disk once this resolves. */
async function writeKey(file: string, key: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(`${key.toString('hex')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Written completely under another name first, so that no reader sees a partial file; the first to link
 * it wins.
 */
async function makeKey(folder: string, file: string): Promise<Buffer> {
  makeFolder(folder)
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  await writeKey(draft, newMasterKey())
  try {
    await link(draft, file)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  } finally {
    await unlink(draft)
  }
  return readKey(file)
}
