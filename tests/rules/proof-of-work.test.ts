import { createHash, createHmac, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkChallenge,
  difficultyFor,
  idsExpiredBefore,
  newChallenge,
  zeroBits,
  type Solved,
} from '#src/commons/proof-of-work.ts'
import { Refusal } from '#src/core/errors.ts'
import { sealer } from '#src/core/seal.ts'

interface Solvers {
  solve: (challenge: string, bits: number) => string
  solveInBrowser: (challenge: string, bits: number) => Promise<string>
}

// Plain JavaScript for readers to copy, so its types are written here.
const { solve, solveInBrowser } = (await import(
  new URL('../../examples/commons/solve.mjs', import.meta.url).href
)) as Solvers

const key = sealer(Buffer.alloc(32, 7)).derive('commons challenge')
const now = new Date('2026-03-01T12:00:00.000Z')
const later = (ms: number): Date => new Date(now.getTime() + ms)

/** The code of the refusal, or what was found. */
function outcome(challenge: string, counter: string, at = now, under = key): string | Solved {
  try {
    return checkChallenge(under, challenge, counter, at)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    expect(cause.status).toBe(400)
    expect(cause.message).not.toBe('')
    expect(cause.hint).toMatch(/^\w.*\.$/s)
    return cause.code
  }
}

/** Leading zero bits, by writing the whole number out. */
function zeroBitsWrittenOut(bytes: Uint8Array): number {
  const text = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return text.indexOf('1') === -1 ? text.length : text.indexOf('1')
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()

/** A challenge put together by hand, as the layout says: by one who has the key. */
function byHand(version: number, bits: number, expiry: number): string {
  const said = Buffer.alloc(24)
  said.writeUInt8(version)
  said.writeUInt8(bits, 1)
  said.writeBigUInt64BE((BigInt(expiry) << 16n) | 0xabcdn, 2)
  const mac = createHmac('sha256', key).update('abode commons challenge\0').update(said).digest()
  return Buffer.concat([said, mac.subarray(0, 18)]).toString('base64url')
}

/** The same bytes changed, spelled as a challenge again. */
function changed(challenge: string, change: (bytes: Buffer) => void): string {
  const bytes = Buffer.from(challenge, 'base64url')
  change(bytes)
  return bytes.toString('base64url')
}

const given = newChallenge(key, 6, now, 600)
const counter = solve(given.challenge, given.bits)

describe('a challenge', () => {
  it('says its bits and until when, and has no dot', () => {
    expect(given).toEqual({
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{56}$/),
      bits: 6,
      expires_at: '2026-03-01T12:10:00.000Z',
    })
  })

  it('is another one each time', () => {
    const many = Array.from({ length: 100 }, () => newChallenge(key, 6, now, 600).challenge)
    expect(new Set(many).size).toBe(100)
  })

  it('is solved by its counter, and named by itself alone', () => {
    const solved = outcome(given.challenge, counter)
    expect(solved).toEqual({
      bits: 6,
      expiresAt: later(600_000),
      id: expect.stringMatching(/^~[0-9a-f]{44}$/),
    })
    const other = String(firstAfter(Number(counter), given.challenge, 6))
    expect(outcome(given.challenge, other)).toEqual(solved)
    const another = newChallenge(key, 1, now, 600)
    expect(outcome(another.challenge, solve(another.challenge, 1))).not.toHaveProperty(
      'id',
      typeof solved === 'string' ? solved : solved.id,
    )
  })

  it('has a name that tells whether it has expired', () => {
    const named = outcome(given.challenge, counter)
    const { id } = typeof named === 'string' ? { id: named } : named
    for (const [ms, isLess] of [
      [-600_000, false],
      [600_000, false],
      [600_001, true],
      [86_400_000, true],
    ] as const) {
      expect([ms, id < idsExpiredBefore(later(ms))]).toEqual([ms, isLess])
    }
    // What is left of ids that were hashes has expired, whenever it is looked at.
    expect('f'.repeat(64) < idsExpiredBefore(new Date(0))).toBe(true)
  })

  it('holds to the last millisecond before its expiry', () => {
    expect(outcome(given.challenge, counter, later(599_999))).toMatchObject({ bits: 6 })
    expect(outcome(given.challenge, counter, later(600_000))).toBe('challenge_expired')
    expect(outcome(given.challenge, counter, later(600_001))).toBe('challenge_expired')
  })

  it('gives back the bits and the expiry that it was made with', () => {
    const moments = fc.date({
      min: new Date('2020-01-01'),
      max: new Date('2200-01-01'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(86_400), moments, (bits, ttl, at) => {
        const made = newChallenge(key, bits, at, ttl + 1)
        const solved = checkChallenge(key, made.challenge, solve(made.challenge, bits), at)
        expect(solved.bits).toBe(bits)
        expect(solved.expiresAt.toISOString()).toBe(made.expires_at)
        expect(solved.expiresAt.getTime() - at.getTime()).toBe((ttl + 1) * 1000)
      }),
    )
  })
})

describe('a challenge that is not ours', () => {
  it('is unknown when it is of another version, though it is signed', () => {
    const expiry = later(1000).getTime()
    const ours = byHand(2, 3, expiry)
    expect(outcome(ours, solve(ours, 3))).toMatchObject({ bits: 3, expiresAt: later(1000) })
    for (const version of [0, 1, 255]) {
      const other = byHand(version, 3, expiry)
      expect(outcome(other, solve(other, 3))).toBe('challenge_unknown')
    }
  })

  it('is unknown when any one bit of it is flipped', () => {
    for (let bit = 0; bit < 42 * 8; bit += 1) {
      const flipped = changed(given.challenge, (bytes) => {
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      })
      expect(outcome(flipped, counter), `bit ${bit}`).toBe('challenge_unknown')
    }
  })

  it('is unknown when any one character of it is another', () => {
    const anything = fc.oneof(
      fc.constantFrom(...Array.from('.=+/ \n\0~%Aa0-_')),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.nat(55), anything, (at, character) => {
        fc.pre(given.challenge[at] !== character)
        const text = given.challenge.slice(0, at) + character + given.challenge.slice(at + 1)
        expect(outcome(text, counter)).toBe('challenge_unknown')
      }),
      { numRuns: 1000 },
    )
  })

  it('is unknown when it is any text at all', () => {
    const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.base64String())
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(text, counter)).toBe('challenge_unknown')
      }),
      { numRuns: 500 },
    )
  })

  const { challenge } = given
  it.each([
    ['empty', ''],
    ['truncated by a character', challenge.slice(0, -1)],
    ['truncated by a group', challenge.slice(0, -4)],
    ['without its code', challenge.slice(0, 32)],
    ['longer by a character', `${challenge}A`],
    ['padded', `${challenge}==`],
    ['followed by a line break', `${challenge}\n`],
    ['between spaces', ` ${challenge} `],
    ['twice', challenge + challenge],
    ['with its counter', `${challenge}.${counter}`],
    ['in other case', swapCase(challenge)],
    ['in hex', Buffer.from(challenge, 'base64url').toString('hex')],
    ['of random bytes', randomBytes(42).toString('base64url')],
    ['of fewer bits', changed(challenge, (bytes) => bytes.writeUInt8(1, 1))],
    ['of no bits', changed(challenge, (bytes) => bytes.writeUInt8(0, 1))],
    ['of a later expiry', changed(challenge, (bytes) => bytes.writeUInt8(0xff, 2))],
    ['of another version', changed(challenge, (bytes) => bytes.writeUInt8(1, 0))],
  ])('is unknown when it is %s', (_kind, text) => {
    expect(outcome(text, counter)).toBe('challenge_unknown')
  })

  it('is unknown in the characters of standard base64', () => {
    const withBoth = Array.from({ length: 200 }, () => newChallenge(key, 1, now, 600).challenge)
    const url = withBoth.find((text) => text.includes('-') && text.includes('_')) ?? ''
    expect(outcome(url, solve(url, 1))).toMatchObject({ bits: 1 })
    expect(outcome(url.replaceAll('-', '+'), counter)).toBe('challenge_unknown')
    expect(outcome(url.replaceAll('_', '/'), counter)).toBe('challenge_unknown')
  })

  it('is unknown under any other key', () => {
    const keys = [
      sealer(Buffer.alloc(32, 8)).derive('commons challenge'),
      sealer(Buffer.alloc(32, 7)).derive('something else'),
      Buffer.alloc(32),
    ]
    for (const other of keys) {
      expect(outcome(challenge, counter, now, other)).toBe('challenge_unknown')
    }
  })

  it('is unknown before it is expired, and expired before its counter is looked at', () => {
    const flipped = changed(challenge, (bytes) => bytes.writeUInt8(5, 1))
    expect(outcome(flipped, counter, later(600_001))).toBe('challenge_unknown')
    expect(outcome(challenge, 'x', later(600_001))).toBe('challenge_expired')
  })
})

describe('a counter', () => {
  it.each([
    ['negative', '-1'],
    ['with a plus sign', `+${counter}`],
    ['with a leading zero', `0${counter}`],
    ['a double zero', '00'],
    ['of 17 digits', '1'.repeat(17)],
    ['hexadecimal', '0x1f'],
    ['in letters of hex', 'ff'],
    ['empty', ''],
    ['a space', ' '],
    ['after a space', ` ${counter}`],
    ['before a space', `${counter} `],
    ['before a line break', `${counter}\n`],
    ['with a fraction', `${counter}.0`],
    ['with an exponent', '1e3'],
    ['with separators', '1_000'],
    ['of full-width digits', '１２３'],
    ['of Arabic digits', '١٢٣'],
    ['infinite', 'Infinity'],
    ['not a number', 'NaN'],
    ['of a thousand digits', '9'.repeat(1000)],
  ])('is refused when it is %s', (_kind, text) => {
    // For a challenge that this very text would solve, so that its form alone is what is refused.
    let { challenge } = newChallenge(key, 1, now, 600)
    while (zeroBits(hashOf(`${challenge}.${text}`)) === 0) {
      challenge = newChallenge(key, 1, now, 600).challenge
    }
    expect(outcome(challenge, text)).toBe('pow_invalid')
  })

  it.each(['0', '1', '10', '9'.repeat(16)])('may be %s', (text) => {
    const found = Array.from({ length: 64 }, () =>
      outcome(newChallenge(key, 1, now, 600).challenge, text),
    )
    expect(found.some((one) => typeof one !== 'string')).toBe(true)
  })

  it('is refused when it is one too many, one too few, or that of another challenge', () => {
    const hard = newChallenge(key, 12, now, 600)
    const solution = Number(solve(hard.challenge, 12))
    const next = firstAfter(solution, hard.challenge, 12)
    expect(outcome(hard.challenge, String(solution))).toMatchObject({ bits: 12 })
    for (const wrong of [solution - 1, solution + 1].filter((n) => n >= 0 && n !== next)) {
      expect(outcome(hard.challenge, String(wrong))).toBe('pow_invalid')
    }
    const others = Array.from({ length: 8 }, () => newChallenge(key, 12, now, 600).challenge)
    const answers = others.map((other) => outcome(other, String(solution)))
    // That it solves another by chance happens once in 4096.
    expect(answers.filter((code) => code === 'pow_invalid').length).toBeGreaterThanOrEqual(6)
  })

  it('needs exactly the bits of the challenge, for every counter', () => {
    for (const bits of [1, 2, 3, 7, 8, 9]) {
      const { challenge } = newChallenge(key, bits, now, 600)
      for (let n = 0; n < 600; n += 1) {
        const solves = zeroBitsWrittenOut(hashOf(`${challenge}.${n}`)) >= bits
        expect(typeof outcome(challenge, String(n)) === 'object', `${challenge}.${n}`).toBe(solves)
      }
    }
  })
})

describe('zero bits', () => {
  it('are counted as they are written out', () => {
    const bytes = fc.tuple(fc.nat(32), fc.uint8Array({ minLength: 0, maxLength: 4 }))
    fc.assert(
      fc.property(bytes, ([zeros, rest]) => {
        const all = Uint8Array.from([...new Uint8Array(zeros), ...rest])
        expect(zeroBits(all)).toBe(zeroBitsWrittenOut(all))
      }),
      { numRuns: 1000 },
    )
    for (let byte = 0; byte < 256; byte += 1) {
      expect(zeroBits(Uint8Array.of(byte))).toBe(zeroBitsWrittenOut(Uint8Array.of(byte)))
    }
  })
})

describe('the examples', () => {
  it('find the first counter that the check takes', async () => {
    for (const bits of [1, 5, 8, 11]) {
      const { challenge } = newChallenge(key, bits, now, 600)
      const solution = solve(challenge, bits)
      expect(outcome(challenge, solution)).toMatchObject({ bits })
      expect(Number(solution)).toBe(firstAfter(-1, challenge, bits))
      expect(await solveInBrowser(challenge, bits)).toBe(solution)
    }
  })
})

describe('the difficulty', () => {
  it('is 18 when it is quiet, 20 in normal times and 24 at most', () => {
    const rates = [0, 29, 30, 59, 60, 119, 120, 239, 240, 479, 480, 959, 960, 1e6, 1e12, Infinity]
    expect(rates.map(difficultyFor)).toEqual([
      18, 18, 19, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 24, 24, 24,
    ])
  })

  it('never falls while the rate rises, and adds a bit for each doubling', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (one, other) => {
        const [low, high] = [Math.min(one, other), Math.max(one, other)]
        expect(difficultyFor(low)).toBeLessThanOrEqual(difficultyFor(high))
        if (low >= 30 && low < 480) expect(difficultyFor(low * 2)).toBe(difficultyFor(low) + 1)
      }),
    )
  })
})

/** The next counter that solves it, by the slow way. */
function firstAfter(start: number, challenge: string, bits: number): number {
  let n = start + 1
  while (zeroBitsWrittenOut(hashOf(`${challenge}.${n}`)) < bits) n += 1
  return n
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}
