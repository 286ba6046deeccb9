import { randomBytes } from 'node:crypto'
import { link, open, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sealer } from '#src/core/seal.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { makeFolder } from './store/folder.ts'

const keyBytes = 32
const checkId = 'master_key'

/** The master key is missing, unreadable, or not the one that the store was begun with. */
export class MasterKeyUnusable extends Error {
  override readonly name = 'MasterKeyUnusable'
}

/**
 * The key that all other keys derive from: the configured one, else the one in a file of the data
 * folder, which the first start makes.
 * @throws MasterKeyUnusable when it is not the key of this store; StoreUnusable without the folder
 */
export async function masterKeyFor(
  store: Store,
  configured: Buffer | undefined,
  folder: string,
): Promise<Buffer> {
  const begun = await store.meta.get(checkId)
  const file = join(folder, 'master.key')
  const key = configured ?? (begun ? await readKey(file) : await makeKey(folder, file))
  const value = sealer(key).derive('master_key_check').toString('hex')
  const kept = begun?.value ?? (await keepCheck(store, value))
  if (kept === value) return key
  const source = configured ? 'ABODE_MASTER_KEY' : `The key in ${file}`
  throw new MasterKeyUnusable(
    `${source} is not the master key that this store was begun with: what it sealed cannot be opened.`,
  )
}

/** Whether a server has ever begun this store. */
export async function wasBegun(store: Store): Promise<boolean> {
  return (await store.meta.get(checkId)) !== undefined
}

/** Of processes that start at once on an empty store one keeps its check, and gives it to all. */
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

/** Written whole under another name first, so that nobody ever reads half of it; the first to link it wins. */
async function makeKey(folder: string, file: string): Promise<Buffer> {
  makeFolder(folder)
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(keyBytes).toString('hex')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, file)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  } finally {
    await unlink(draft)
  }
  return readKey(file)
}
