import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** An issued key, as it is stored. */
export interface KeptKey {
  /** The service it belongs to: its base address, or `local`. */
  service: string
  api_key: string
  /** The token that reads the key again. */
  token: string
  /** For the person who will own the account. */
  claim_url: string
}

/** The file holds no key for this service; the message, one line long, says why. */
export class KeyFileUnusable extends Error {
  override readonly name = 'KeyFileUnusable'
}

/** @throws KeyFileUnusable */
export async function readKeyFile(file: string, service: string): Promise<KeptKey | undefined> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    if (isCode(cause, 'ENOENT')) return undefined
    throw new KeyFileUnusable(`${file} cannot be read (${codeOf(cause)})`, { cause })
  })
  if (text === undefined) return undefined
  const kept = keptIn(text)
  if (!kept) throw new KeyFileUnusable(`${file} does not hold a key as it is kept here`)
  // A key must never be sent to any service but the one that issued it.
  if (kept.service === service) return kept
  throw new KeyFileUnusable(
    `${file} holds the key of ${kept.service}, not of ${service}: give another --key-file`,
  )
}

/** Whether other users of this machine may read the file. */
export async function isOpenToOthers(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/**
 * Checks that a key could be stored there. It runs before a key is requested: one that cannot be stored
 * would be lost.
 * @throws KeyFileUnusable
 */
export async function checkKeepable(file: string): Promise<void> {
  const draft = draftOf(file)
  try {
    await makeFolder(dirname(file))
    await written(draft, '')
    await unlink(draft)
  } catch (cause) {
    throw new KeyFileUnusable(`${file} cannot be written (${codeOf(cause)})`, { cause })
  }
}

/**
 * Folder by folder, because Node's recursive mkdir never ends on systems that refuse to create folders.
 */
async function makeFolder(path: string): Promise<void> {
  const make = () => mkdir(path, { mode: 0o700 })
  await make()
    .catch(async (cause: unknown) => {
      if (!isCode(cause, 'ENOENT')) throw cause
      await makeFolder(dirname(path))
      await make()
    })
    .catch((cause: unknown) => {
      if (!isCode(cause, 'EEXIST')) throw cause
    })
}

function draftOf(file: string): string {
  return `${file}.${randomBytes(8).toString('hex')}`
}

/**
 * Stores a key, unless another process has stored one in the meantime: then that one is returned. A
 * reader never sees a partial file, and only the owner may read it.
 * @throws KeyFileUnusable
 */
export async function keepKey(file: string, key: KeptKey): Promise<KeptKey> {
  const draft = draftOf(file)
  try {
    await makeFolder(dirname(file))
    await written(draft, `${JSON.stringify(key, null, 2)}\n`)
    try {
      await link(draft, file)
    } finally {
      await unlink(draft)
    }
    return key
  } catch (cause) {
    const other = isCode(cause, 'EEXIST') ? await readKeyFile(file, key.service) : undefined
    if (other) return other
    throw new KeyFileUnusable(`${file} cannot be written (${codeOf(cause)})`, { cause })
  }
}

async function written(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function keptIn(text: string): KeptKey | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isKept(value) ? value : undefined
  } catch {
    return undefined
  }
}

const members = ['service', 'api_key', 'token', 'claim_url'] as const

function isKept(value: unknown): value is KeptKey {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return (
    members.every((name) => typeof fields.get(name) === 'string') && isKey(fields.get('api_key'))
  )
}

/** Whether a value has the form of a key, so that a header can carry it. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^ab_[A-Za-z0-9]{1,100}$/.test(value)
}

function isCode(cause: unknown, code: string): boolean {
  return codeOf(cause) === code
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'for no known reason'
}
