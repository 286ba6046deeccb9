import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A key that was got, as it is kept. */
export interface KeptKey {
  /** Which service it opens: its base address, or `local`. */
  service: string
  api_key: string
  /** Reads the key back. */
  token: string
  /** For a person who is to own the account. */
  claim_url: string
}

/** The file holds no key for this service; the message, of one line, says why. */
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
  // A key must never go to another service than the one that gave it.
  if (kept.service === service) return kept
  throw new KeyFileUnusable(
    `${file} holds the key of ${kept.service}, not of ${service}: give another --key-file`,
  )
}

/** Whether others of this machine may read the file. */
export async function isOpenToOthers(file: string): Promise<boolean> {
  if (process.platform === 'win32') return false
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && (found.mode & 0o077) !== 0
}

/**
 * Whether a key could be kept there: found out before one is asked for, which nobody could use.
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

/** Step by step, since Node's own way of making parents never ends where the system lets none be made. */
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
 * Keeps a key, unless another process has kept one meanwhile: theirs is given then. Nobody ever
 * reads half of it, and only its owner may.
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
    const theirs = isCode(cause, 'EEXIST') ? await readKeyFile(file, key.service) : undefined
    if (theirs) return theirs
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

/** A text that is a key by its form, so that it can stand in a header. */
export function isKey(value: unknown): value is string {
  return typeof value === 'string' && /^ab_[A-Za-z0-9]{1,100}$/.test(value)
}

function isCode(cause: unknown, code: string): boolean {
  return codeOf(cause) === code
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'for no known reason'
}
