import { hash, randomFillSync } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type IdPrefix =
  | 'acc'
  | 'key'
  | 'clm'
  | 'tsk'
  | 'run'
  | 'msg'
  | 'evt'
  | 'wrk'
  | 'dlv'
  | 'apr'
  | 'ntc'
  | 'thr'
  | 'rep'
  | 'vrf'
  | 'flg'
  | 'mod'
  | 'ntf'
  | 'post'
  | 'med'
  | 'cmt'
  | 'kno'
  | 'shf'
  | 'edn'
  | 'chk'
  | 'txn'
  | 'ord'
  | 'rfd'
  | 'usr'
  | 'ses'
  | 'con'
  | 'ctx'
  | 'bdy'
  | 'cwh'
  | 'obc'
  | 'mbi'
  | 'mal'
  | 'psk'
  | 'psb'
  | 'nws'

// One call of the generator for many ids: a call costs as much as all the rest of an id.
const pool = Buffer.alloc(4096)
let drawn = pool.length

/** So many random bytes, 4096 at most, in hex. */
export function randomHex(bytes: number): string {
  if (drawn + bytes > pool.length) {
    randomFillSync(pool)
    drawn = 0
  }
  drawn += bytes
  const text = pool.toString('hex', drawn - bytes, drawn)
  // Some bytes become credentials, so those that were given out are erased.
  pool.fill(0, drawn - bytes, drawn)
  return text
}

let lastMs = 0
let counter = 0

/**
 * A new id: a prefix, the time in milliseconds, a counter and 64 random bits, in hex. Sorting by id is
 * sorting by age, within a process even inside one millisecond.
 */
export function newId(prefix: IdPrefix): string {
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    counter = 0
  } else if (++counter > 0xffff) {
    lastMs += 1
    counter = 0
  }
  const time = lastMs.toString(16).padStart(12, '0') + counter.toString(16).padStart(4, '0')
  return `${prefix}_${time}${randomHex(8)}`
}

/** The bound below which all ids with this prefix are that were made before a moment. */
export function idsBefore(prefix: IdPrefix, moment: Date): string {
  return `${prefix}_${Math.max(0, moment.getTime()).toString(16).padStart(12, '0')}`
}

function randomBase62(length: number): string {
  let text = ''
  // 248 is the largest multiple of 62 in a byte: larger values would favour the first letters.
  while (text.length < length) {
    for (const byte of Buffer.from(randomHex(length), 'hex')) {
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = alphabet[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/**
 * ab: API key · abs: session · cmn: Commons handle · act: claim · inv: invitation to the server · abm: invitation
 * into an account · abl: link in a mail · lse: lease of a run · ort: order · abt: access of a connected program · abr: its refresh.
 */
export type TokenPrefix =
  | 'ab'
  | 'abs'
  | 'cmn'
  | 'act'
  | 'inv'
  | 'abm'
  | 'abl'
  | 'lse'
  | 'ort'
  | 'abt'
  | 'abr'

/** A new credential: prefix, 32 random base62 characters (190 bits) and their checksum. */
export function newToken(prefix: TokenPrefix): string {
  const body = `${prefix}_${randomBase62(32)}`
  return body + checksum(body)
}

/** Whether it has the form of a token: a mistyped one is refused without a look-up. */
export function isToken(text: string, prefix: TokenPrefix): boolean {
  if (text.length !== prefix.length + 39 || !text.startsWith(`${prefix}_`)) return false
  return checksum(text.slice(0, -6)) === text.slice(-6)
}

/** Whether it is meant as the access token of a connected program. */
export function isAccessToken(text: string): boolean {
  return text.startsWith('abt_')
}

/** A short random suffix that makes an id unlike its neighbours. */
export function randomSuffix(length = 6): string {
  return randomBase62(length).toLowerCase()
}

/** The form in which tokens are stored: with 190 random bits they need no slow hash. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex')
}

/** It stands in the ids of the agents of an app, between its id and theirs in the manifest. */
export const ofApp = '--'
