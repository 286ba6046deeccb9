import { hash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { crc32 } from 'node:zlib'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

type IdPrefix = 'acc' | 'key' | 'clm' | 'tsk' | 'run' | 'msg' | 'evt'

/** A new id of ours: a prefix and a time-ordered rest, so that sorting by id is sorting by age. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomUUIDv7().replaceAll('-', '')}`
}

function randomBase62(length: number): string {
  let text = ''
  // 248 is the largest multiple of 62 in a byte: larger values would favour the first letters.
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
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

export type TokenPrefix = 'ab' | 'cmn' | 'act' | 'lse'

/** A new credential: prefix, 32 random base62 characters (190 bits) and their checksum. */
export function newToken(prefix: TokenPrefix): string {
  const body = `${prefix}_${randomBase62(32)}`
  return body + checksum(body)
}

/** Whether it can be a token of ours at all: a mistyped one is refused without a look-up. */
export function isToken(text: string, prefix: TokenPrefix): boolean {
  if (text.length !== prefix.length + 39 || !text.startsWith(`${prefix}_`)) return false
  return checksum(text.slice(0, -6)) === text.slice(-6)
}

/** A short random ending that makes an id of ours unlike its neighbours. */
export function randomSuffix(length = 6): string {
  return randomBase62(length).toLowerCase()
}

/** How tokens are kept at rest: 190 random bits need no slow hash. */
export function digest(text: string): string {
  return hash('sha256', text, 'hex')
}
