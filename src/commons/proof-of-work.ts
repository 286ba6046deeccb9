import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { refuse } from '#src/core/errors.ts'
import { secondsAfter } from '#src/core/time.ts'

// A challenge holds all that its check needs, so issuing one stores nothing. Its bytes:
//
//   0        version, 2
//   1        bits
//   2 to 7   expiry, milliseconds since 1970, big-endian
//   8 to 23  random
//   24 to 41 the first 18 bytes of HMAC-SHA256 over the domain and bytes 0 to 23
//
// 42 bytes are 56 characters of base64url with no spare bits, so a challenge has only one spelling: a
// spent one cannot be respelled and taken for a new one.
const version = 2
const expiryAt = 2
const randomAt = 8
const macAt = 24
const macBytes = 18
const spelling = /^[A-Za-z0-9_-]{56}$/

// What is signed begins with words that nothing else signed under any of our keys begins with.
const domain = Buffer.from('abode commons challenge\0')

const counterForm = /^(?:0|[1-9][0-9]{0,15})$/

/** A challenge as a client receives it, in the members of the answer. */
export interface Challenge {
  /** 56 characters of base64url; never a dot, which separates it from the counter. */
  challenge: string
  /** Zero bits that the hash must begin with. */
  bits: number
  /** RFC 3339; refused from this moment on. */
  expires_at: string
}

/** A challenge that was solved. */
export interface Solved {
  /** The difficulty it asked for, not the one found. */
  bits: number
  /** The record that it is spent must be kept until then. */
  expiresAt: Date
  /**
   * Names the challenge, with any counter: the key of the record that it is spent. Begins with the
   * expiry, so that such records are added, and swept, at one end of the key's index.
   */
  id: string
}

// Sorts after every hash: challenges of version 1 were kept under theirs, and are swept with the
// expired.
const idBehind = '~'

/** An upper bound of the ids of challenges that expired before this moment. */
export function idsExpiredBefore(moment: Date): string {
  return idBehind + moment.getTime().toString(16).padStart(12, '0')
}

/**
 * A challenge that asks for this many zero bits, 1 to 255, and expires after this many seconds. It
 * cannot be made or changed without the key, which is used for nothing else.
 */
export function newChallenge(key: Buffer, bits: number, now: Date, ttlSeconds: number): Challenge {
  const expires_at = secondsAfter(now, ttlSeconds)
  const said = Buffer.alloc(macAt)
  said.writeUInt8(version, 0)
  said.writeUInt8(bits, 1)
  said.writeUIntBE(Date.parse(expires_at), expiryAt, randomAt - expiryAt)
  randomBytes(macAt - randomAt).copy(said, randomAt)
  const challenge = Buffer.concat([said, signatureOf(key, said)]).toString('base64url')
  return { challenge, bits, expires_at }
}

/**
 * Whether `sha256(challenge + "." + counter)` begins with the zero bits that the challenge asks for.
 * It does not know which challenges are spent: the store does.
 * @throws Refusal `challenge_unknown` for one that was not made under this key, `challenge_expired`,
 * `pow_invalid` for a counter of another form or one that does not solve it
 */
export function checkChallenge(key: Buffer, challenge: string, counter: string, now: Date): Solved {
  const solved = opened(key, challenge)
  const { bits, expiresAt } = solved
  if (now.getTime() >= expiresAt.getTime()) {
    refuse('challenge_expired', 'This challenge has expired.', {
      hint: `Ask for a new one (${askAgain}) and send its solution before its expires_at.`,
    })
  }
  if (!counterForm.test(counter)) {
    refuse('pow_invalid', 'The counter must be a decimal number of 1 to 16 digits, as a string.', {
      hint: 'Write it with the digits 0 to 9 only: no sign, leading zero, space, dot or exponent.',
    })
  }
  const found = zeroBits(hash('sha256', `${challenge}.${counter}`, 'buffer'))
  if (found < bits) {
    refuse(
      'pow_invalid',
      `This counter gives ${found} zero bits; the challenge asks for ${bits}.`,
      {
        hint:
          'Count up from 0 until sha256(challenge + "." + counter), over those ASCII characters, ' +
          `begins with ${bits} zero bits. The challenge can still be solved until it expires.`,
      },
    )
  }
  return solved
}

const askAgain = '<commons.challenge.get>'

/** What the challenge says, once it is known to be from this server. */
function opened(key: Buffer, challenge: string): Solved {
  if (!spelling.test(challenge)) unknown()
  const bytes = Buffer.from(challenge, 'base64url')
  const said = bytes.subarray(0, macAt)
  // Nothing in it is trusted before this check, its version included.
  if (!timingSafeEqual(bytes.subarray(macAt), signatureOf(key, said))) unknown()
  if (said.readUInt8(0) !== version) unknown()
  return {
    bits: said.readUInt8(1),
    expiresAt: new Date(said.readUIntBE(expiryAt, randomAt - expiryAt)),
    id: idBehind + said.toString('hex', expiryAt),
  }
}

// One refusal for every reason: which part was wrong helps only those who forge challenges.
function unknown(): never {
  return refuse('challenge_unknown', 'This challenge was not issued by this server.', {
    hint: `Send the challenge exactly as it was given, or ask for a new one (${askAgain}).`,
  })
}

function signatureOf(key: Buffer, said: Buffer): Buffer {
  return createHmac('sha256', key).update(domain).update(said).digest().subarray(0, macBytes)
}

/** How many zero bits the hash begins with. */
export function zeroBits(hash: Uint8Array): number {
  let bits = 0
  for (const byte of hash) {
    // A byte has the last 8 of the 32 bits that are counted.
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}

const easiest = 18
const hardest = 24
const quietBelow = 30

/**
 * The bits to ask for, given the sign-ups of all callers in the last hour: 18 below 30, 20 from 60 to
 * 119, 24 from 960 on. One bit doubles the work and is added each time the rate doubles, so the price
 * of a handle is proportional to how many are being made: ten times the handles cost a flood a hundred
 * times the work. One newcomer pays half a second to a second at 20 bits and some ten seconds at 24,
 * and one address, at the default rate limit, cannot lift it above 20 by itself.
 */
export function difficultyFor(signUpsLastHour: number): number {
  const doublings = 32 - Math.clz32(Math.min(signUpsLastHour / quietBelow, 2 ** 31))
  return Math.min(easiest + doublings, hardest)
}
