import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describing, naming } from '#src/commons/handle-words.ts'
import { Handle, handleOfAgent, isReserved, madeHandle, skeletonOf } from '#src/commons/handle.ts'

const accepted = (text: unknown): boolean => Handle.safeParse(text).success

const charactersOf = (pattern: RegExp): string[] =>
  Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((character) =>
    pattern.test(character),
  )

const first = fc.constantFrom(...charactersOf(/[a-z0-9]/))
const following = fc.constantFrom(...charactersOf(/[a-z0-9-]/))
const handles = fc
  .tuple(first, fc.string({ unit: following, minLength: 2, maxLength: 31 }))
  .map((parts) => parts.join(''))
const charIds = fc
  .tuple(
    fc.constantFrom(...charactersOf(/[A-Za-z0-9]/)),
    fc.string({ unit: fc.constantFrom(...charactersOf(/[A-Za-z0-9._-]/)), maxLength: 127 }),
  )
  .map((parts) => parts.join(''))

describe('a handle', () => {
  it.each(['ada', 'a-1', '007', 'a--', 'ada--bot', 'x'.repeat(32), '0-0', 'abc-'])(
    'may be %j',
    (text) => {
      expect(accepted(text)).toBe(true)
    },
  )

  it.each([
    '',
    'ab',
    'x'.repeat(33),
    '-ada',
    'Ada',
    'ada_bot',
    'ada.bot',
    'ada bot',
    ' ada',
    'ada\n',
    'ada\0',
    'adа', // a Cyrillic letter
    'ädа',
    'ada\u200b',
    '\u202eada',
    '\ud800ada',
    'ａｄａ',
    '@ada',
    'ada/me',
    '../etc',
  ])('may not be %j', (text) => {
    expect(accepted(text)).toBe(false)
  })

  it.each([null, undefined, 7, true, ['ada'], { handle: 'ada' }])('is a text, not %j', (value) => {
    expect(accepted(value)).toBe(false)
  })
})

describe('the skeleton', () => {
  it.each([
    ['ada-lovelace', 'adalovelace'],
    ['ada-bot', 'ada--bot'],
    ['ada', 'ada-'],
    ['bob', 'b0b'],
    ['alice', 'a1ice'],
    ['alice', 'aiice'],
    ['alice', 'allce'],
    ['sam', '5am'],
    ['modem', 'rnodern'],
    ['wren', 'vvren'],
    ['wwv', 'vvvvv'],
    ['vwv', 'wvv'],
    ['far-north', 'far-n0rth'],
    ['r-ni', 'ml-'],
    ['swim', '5vv1rn'],
  ])('of %s is that of %s', (one, other) => {
    expect(skeletonOf(one)).toBe(skeletonOf(other))
  })

  it.each([
    ['ada', 'adam'],
    ['bob', 'bobo'],
    ['bot-1', 'bot-2'],
    ['clara', 'dara'],
    ['nina', 'mina'],
    ['uma', 'vma'],
    ['ben', 'pen'],
    ['agent-2', 'agent-z'],
  ])('of %s is not that of %s', (one, other) => {
    expect(skeletonOf(one)).not.toBe(skeletonOf(other))
  })

  it('is the same however a handle is redrawn', () => {
    const drawings: [string, string][] = [
      ['0', 'o'],
      ['1', 'l'],
      ['1', 'i'],
      ['l', 'i'],
      ['5', 's'],
      ['rn', 'm'],
      ['vv', 'w'],
      ['-', ''],
    ]
    const redrawings = fc.array(
      fc.record({ drawing: fc.constantFrom(...drawings), back: fc.boolean(), at: fc.nat(32) }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(handles, redrawings, (handle, steps) => {
        let text = handle
        for (const { drawing, back, at } of steps) {
          const [from, to] = back ? [drawing[1], drawing[0]] : drawing
          const place = text.indexOf(from, at % (text.length + 1))
          if (place >= 0) text = text.slice(0, place) + to + text.slice(place + from.length)
        }
        expect(skeletonOf(text)).toBe(skeletonOf(handle))
      }),
      { numRuns: 1000 },
    )
  })

  it('differs for handles of letters and digits that look like no other', () => {
    const plain = fc.string({
      unit: fc.constantFrom(...charactersOf(/[abcdefghjknpqtuxyz2346789]/)),
      minLength: 3,
      maxLength: 32,
    })
    fc.assert(
      fc.property(plain, plain, (one, other) => {
        fc.pre(one !== other)
        expect(skeletonOf(one)).not.toBe(skeletonOf(other))
      }),
    )
  })
})

const refused = [
  'abode admin moderator system commons everyone here deleted api support official a2a mcp www',
  'rotate anonymous root status-card',
  // Drawn otherwise.
  'ab0de a-b-o-d-e adm1n adrnin rnoderator m0derat0r 5ystem cornrnons vvvvw -admin admin-',
  // Spelled in digits.
  '4dmin abod3 m0d3r470r 0ff1c14l',
  // Several in a row, and counted.
  'abode-support official-abode admin-team system-administrator',
  'admin-2 moderator7 abode-support-24 admin-007-',
]

const free = [
  'ada adam abodes-of-light madmin heron hereford modest rapid red-team support-desk my-admin aza',
  'newsroom--editor all-star 007 agent-7 1234 help-me-out board-game thready',
]

describe('a reserved name', () => {
  it.each(refused.join(' ').split(' '))('is %s', (name) => {
    expect(isReserved(name)).toBe(true)
  })

  it.each(free.join(' ').split(' '))('is not %s', (name) => {
    expect(isReserved(name)).toBe(false)
  })

  it('is looked up in less than a millisecond, for any name', () => {
    const worst = ['a'.repeat(32), 'all'.repeat(10), 'w'.repeat(32), `a${'-'.repeat(31)}`]
    const began = performance.now()
    for (let i = 0; i < 1000; i += 1) worst.forEach(isReserved)
    expect((performance.now() - began) / 4000).toBeLessThan(1)
  })
})

describe('a made handle', () => {
  it('is a handle, never reserved, and hardly ever one twice', () => {
    const made = Array.from({ length: 5000 }, madeHandle)
    for (const handle of made) expect(handle).toMatch(/^[a-z]{3,7}-[a-z]{3,7}-[0-9a-f]{6}$/)
    expect(made.filter((handle) => !accepted(handle) || isReserved(handle))).toEqual([])
    // 2^36 of them: that a second pair is alike would take thousands of runs.
    expect(new Set(made.map(skeletonOf)).size).toBeGreaterThanOrEqual(4999)
  })

  it('has words to choose from that are all told apart', () => {
    for (const words of [describing, naming]) {
      expect(new Set(words.map(skeletonOf)).size).toBe(64)
      expect(words.filter((word) => !/^[a-z]{3,7}$/.test(word) || isReserved(word))).toEqual([])
    }
  })
})

describe('the handle of an agent', () => {
  it.each(['ada', 'newsroom--editor', 'ada-2', 'x'.repeat(32), 'a--', '007'])(
    'is its id when that is %s',
    (id) => {
      expect(handleOfAgent(id)).toBe(id)
    },
  )

  it.each([
    ['Ada', /^ada-[0-9a-f]{8}$/],
    ['a', /^a-[0-9a-f]{8}$/],
    ['Ada.Lovelace_1', /^ada-lovelace-1-[0-9a-f]{8}$/],
    ['A._-', /^a-[0-9a-f]{8}$/],
    ['x'.repeat(33), /^x{23}-[0-9a-f]{8}$/],
    ['x'.repeat(128), /^x{23}-[0-9a-f]{8}$/],
    ['ada-0123abcd', /^ada-0123abcd-[0-9a-f]{8}$/],
    ['support', /^agent-support-[0-9a-f]{8}$/],
    ['Abode', /^agent-abode-[0-9a-f]{8}$/],
  ])('reads like its id when that is %s', (id, form) => {
    expect(handleOfAgent(id)).toMatch(form)
    expect(handleOfAgent(id)).toBe(handleOfAgent(id))
  })

  it('is a handle that is not reserved, for any id and any attempt', () => {
    fc.assert(
      fc.property(fc.oneof(charIds, handles), fc.nat(20), (id, attempt) => {
        const handle = handleOfAgent(id, attempt)
        expect(accepted(handle), handle).toBe(true)
        expect(isReserved(handle), handle).toBe(false)
        expect(handleOfAgent(id, attempt)).toBe(handle)
      }),
      { numRuns: 1000 },
    )
  })

  it('is never that of another agent', () => {
    const alike = charIds.chain((id) =>
      fc
        .constantFrom(
          id.toLowerCase(),
          id.toUpperCase(),
          `${id}-`.slice(0, 128),
          id.replace(/[._]/g, '-'),
          id.slice(0, 32),
          handleOfAgent(id),
          handleOfAgent(id, 1),
          handleOfAgent(handleOfAgent(id)),
        )
        .map((other) => [id, other] as const),
    )
    fc.assert(
      fc.property(alike, ([id, other]) => {
        fc.pre(id !== other)
        expect(handleOfAgent(id)).not.toBe(handleOfAgent(other))
      }),
      { numRuns: 2000 },
    )
  })

  it('is another one at each attempt', () => {
    for (const id of ['ada', 'Ada', 'support', 'x'.repeat(128)]) {
      const tried = Array.from({ length: 50 }, (_, attempt) => handleOfAgent(id, attempt))
      expect(new Set(tried).size).toBe(50)
    }
  })
})
