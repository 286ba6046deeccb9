import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  CardList,
  CardUrl,
  Headline,
  MessageBody,
  Notes,
  ReplyBody,
  Tag,
  Tags,
  ThreadBody,
  Title,
} from '#src/commons/texts/fields.ts'
import { hiddenIn } from '#src/core/text/hidden-characters.ts'
import { isPlain } from '#src/core/text/text.ts'
import { injections, refusedInjections } from '#tests/support/injections.ts'
import type * as z from 'zod'

/** What is wrong, each as its code and message. */
function faults(schema: z.ZodType, value: unknown): { code: string; message: string }[] {
  const result = schema.safeParse(value)
  return (result.error?.issues ?? []).map((issue) => ({
    code: issue.code === 'custom' ? String(issue.params?.code) : issue.code,
    message: issue.message,
  }))
}

const codesOf = (schema: z.ZodType, value: unknown) => faults(schema, value).map(({ code }) => code)

describe('lengths', () => {
  it.each([
    ['Title', Title, 300],
    ['ThreadBody', ThreadBody, 32_000],
    ['ReplyBody', ReplyBody, 10_000],
    ['MessageBody', MessageBody, 10_000],
    ['Headline', Headline, 200],
    ['Notes', Notes, 2_000],
  ] as const)('%s has a character at least and so many at most, however wide', (_, schema, max) => {
    for (const letter of ['a', 'ö', '語', '🦊']) {
      expect(codesOf(schema, letter)).toEqual([])
      expect(codesOf(schema, letter.repeat(max))).toEqual([])
      expect(codesOf(schema, letter.repeat(max + 1))).toEqual(['too_big'])
    }
    for (const blank of ['', ' ', '\u00a0\u3000 ']) {
      expect(codesOf(schema, blank)).toEqual(['too_small'])
    }
  })

  it('a body of line breaks and tabs alone is blank', () => {
    expect(codesOf(ReplyBody, ' \n\t\r\n ')).toEqual(['too_small'])
  })

  it('is shown in the documents', () => {
    expect(Title.meta()).toEqual({ minLength: 1, maxLength: 300 })
  })
})

const inNeither: [string, string, string][] = [
  ['a null', 'a\0b', 'U+0000 (a control character) at character 2'],
  ['an escape', '\u001b[31m', 'U+001B (a control character) at character 1'],
  ['a backspace', 'ab\b', 'U+0008'],
  ['a vertical tab', 'a\vb', 'U+000B'],
  ['a deletion', 'a\u007f', 'U+007F'],
  ['a control of C1', 'a\u009b1m', 'U+009B (a control character)'],
  ['an override', '🦊🦊\u202ea', 'U+202E (a bidirectional control) at character 3'],
  ['an isolate', 'a\u2066b', 'U+2066 (a bidirectional control)'],
  ['a mark of direction in Latin', 'a\u200fb', 'U+200F (a bidirectional control)'],
  ['a zero-width space', 'pay\u200bpal', 'U+200B (an invisible character) at character 4'],
  ['a word joiner', 'a\u2060b', 'U+2060'],
  ['a byte order mark', '\ufeffa', 'U+FEFF'],
  ['a soft hyphen', 'a\u00adb', 'U+00AD'],
  ['an invisible operator', '2\u2062x', 'U+2062'],
  ['a blank filler', 'a\u3164', 'U+3164'],
  ['a line separator', 'a\u2028b', 'U+2028 (a line separator)'],
  ['a noncharacter', 'a\ufffe', 'U+FFFE (a noncharacter)'],
  ['a tag', 'a\u{e0041}', 'U+E0041 (a tag character)'],
  ['a flag of tags that is none', '\u{1f3f4}\u{e0061}\u{e007f}', 'U+E0061 (a tag character)'],
  ['a selector after a letter', 'a\ufe0f', 'U+FE0F (a variation selector'],
  ['selectors after each other', '😀\ufe0f\ufe0f', 'U+FE0F'],
  ['a selector of another kind after an emoji', '😀\u{e0100}', 'U+E0100'],
  ['a joiner between Latin letters', 'a\u200db', 'U+200D'],
  ['a joiner that nothing follows', '👩\u200d', 'U+200D'],
  ['two joiners in a row', 'می\u200c\u200c\u200cشود', 'U+200C'],
  ['two marks of direction in a row', 'שלום\u200f\u200fa', 'U+200F'],
]

// What is good in a body, and whether a line may hold it too.
const spelled: [string, string, boolean][] = [
  ['plain words', 'How do I do it?', true],
  ['a heart that is an emoji', 'I ❤️ it ⚠️ ☎︎', true],
  ['a key cap', 'Press 1️⃣ or #️⃣', true],
  ['a flag of letters', '🇩🇪🇯🇵', true],
  ['a skin', '👍🏽', true],
  ['a variant of an ideograph', '葛\u{e0100}城', true],
  ['signs of mathematics', 'a ∩︀ b, x ≤ y', true],
  ['letters for private use', '\ue0b0', true],
  ['combining marks', 'n\u0303 e\u0301', true],
  ['line breaks and tabs', 'one\r\n\ttwo\n', false],
  ['a family', '👨‍👩‍👧‍👦 and 🏳️‍🌈 and 🏴‍☠️ and 👩🏽‍💻', false],
  ['the flags of parts of a land', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿', false],
  ['Persian', 'می‌شود API‌ها ه‍', false],
  ['Sinhala', 'ශ්‍රී ලංකාව', false],
  ['Hindi', 'क्‌ष र्‍य', false],
  ['Malayalam', 'ന്‍', false],
  ['Khmer', 'ខ្មែរ​ភាសា', false],
  ['Mongolian', 'ᠮᠣᠩᠭ᠋ᠣᠯ ᠠ᠎ᠠ', false],
  ['Hebrew with a mark of direction', 'שלום C++\u200e, עולם', false],
  ['Arabic with a mark of direction', 'مرحبا\u200f!', false],
]

describe('characters', () => {
  it.each(inNeither)('%s is in no line and in no body', (_, text, said) => {
    for (const schema of [Title, Headline, ThreadBody, MessageBody, Notes]) {
      const [fault, ...others] = faults(schema, text)
      expect(fault).toMatchObject({ code: 'not_plain' })
      expect(fault?.message).toContain(said)
      expect(others).toEqual([])
    }
  })

  it.each(spelled)('%s is in a body as it is', (_, text, isLine) => {
    expect(ThreadBody.parse(text)).toBe(text)
    expect(codesOf(Title, text)).toEqual(isLine ? [] : ['not_plain'])
  })

  it('are for names what they are for lines', () => {
    for (const name of ['Ada\u{e0041}', 'Ada\u3164', 'Ada\u034f', 'a\u202eb', '\u200bAda']) {
      expect(isPlain(name)).toBe(false)
    }
    for (const name of ['Ada ❤️', '葛\u{e0100}城', 'Zoë']) expect(isPlain(name)).toBe(true)
  })

  it('counts the rest and never repeats the text', () => {
    const [fault] = faults(Title, 'Canary\u200b word\u200b and\u202e more')
    expect(fault?.message).toBe(
      'must not hold U+200B (an invisible character) at character 7 and 2 more of the kind',
    )
    for (const schema of [Title, ThreadBody, Tag, CardUrl]) {
      for (const text of ['canary\u202e', `canary${'x'.repeat(40_000)}`, ' canary!']) {
        for (const { message } of faults(schema, text)) expect(message).not.toContain('canary')
      }
    }
  })

  it('names no character of a line that a name may not hold', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(
        ...Array.from(
          'a0 😀ا语\n\u00ad\u200b\u200c\u200d\u200e\u2028\u202e\u2066\ufe00\ufe0f\ufeff',
        ),
      ),
      fc.constantFrom('\u{e0041}', '\u{e0100}', '\u3164', '\u180b', '\ufffe'),
    )
    const character = fc.array(unit, { minLength: 1, maxLength: 6 }).map((units) => units.join(''))
    fc.assert(
      fc.property(character, (text) => {
        if (!isPlain(text)) expect(hiddenIn(text, 'line')).toBeDefined()
        // What a line may hold, a body may.
        if (hiddenIn(text, 'prose')) expect(hiddenIn(text, 'line')).toBeDefined()
      }),
      { numRuns: 2000 },
    )
  })

  it('refuses every control, tag and override that is put into prose, at its place', () => {
    const prose = fc.string({ unit: 'grapheme-ascii', maxLength: 80 })
    const codes = fc.oneof(
      fc.integer({ min: 0, max: 0x1f }).filter((code) => ![9, 10, 13].includes(code)),
      fc.integer({ min: 0x7f, max: 0x9f }),
      fc.integer({ min: 0x202a, max: 0x202e }),
      fc.integer({ min: 0x2066, max: 0x2069 }),
      fc.integer({ min: 0xe0000, max: 0xe01ef }),
    )
    fc.assert(
      fc.property(prose, codes, prose, (before, codePoint, after) => {
        const text = before + String.fromCodePoint(codePoint) + after
        const found = { codePoint, position: before.length + 1, count: 1 }
        expect(hiddenIn(text, 'prose')).toEqual(found)
      }),
    )
  })
})

describe('tags', () => {
  it.each(['c', 'c++', 'c#', 'asp.net', 'node.js', 'a'.repeat(32), '3d', 'x-y'])(
    '%s is one',
    (tag) => {
      expect(Tag.parse(tag)).toBe(tag)
    },
  )

  it.each(['', ' ', '-a', '.net', 'a b', 'a'.repeat(33), 'ä', 'a_b', 'a\u200b', 'a\n', 7, null])(
    '%j is none',
    (tag) => {
      expect(Tag.safeParse(tag).success).toBe(false)
    },
  )

  it('are at most five, folded to lower case, each once', () => {
    expect(Tags.parse(['C++', 'mcp'])).toEqual(['c++', 'mcp'])
    expect(Tags.parse([])).toEqual([])
    expect(codesOf(Tags, ['a', 'b', 'c', 'd', 'e', 'f'])).toEqual(['too_big'])
    const twice = Tags.safeParse(['a', 'b', 'A'])
    expect(twice.error?.issues).toMatchObject([{ path: [2], params: { code: 'repeated' } }])
  })
})

describe('a status card', () => {
  it('has lists of at most ten short lines', () => {
    expect(CardList.parse(['typescript', 'reviews'])).toHaveLength(2)
    expect(
      codesOf(
        CardList,
        Array.from({ length: 11 }, () => 'a'),
      ),
    ).toEqual(['too_big'])
    expect(codesOf(CardList, ['a\nb'])).toEqual(['not_plain'])
    expect(codesOf(CardList, [''])).toEqual(['too_small'])
  })

  it.each(['https://example.com/a?b=c#d', 'http://127.0.0.1:8080', 'https://exämple.org/ü'])(
    'links to %s',
    (url) => {
      expect(CardUrl.parse(url)).toBe(url)
    },
  )

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com',
    'https://user:word@example.com',
    'https://user@example.com',
    'https:\\\\example.com',
    'https:example.com',
    ' https://example.com',
    'https://exa mple.com',
    'https://',
    'example.com',
    `https://example.com/${'a'.repeat(500)}`,
    'https://example.com/\u202egnp.exe',
  ])('does not link to %j', (url) => {
    expect(CardUrl.safeParse(url).success).toBe(false)
  })
})

describe('injections', () => {
  it('are twenty that a body takes, each marked, and some that none takes', () => {
    expect(injections).toHaveLength(20)
    const all = [...injections, ...refusedInjections]
    expect(new Set(all.map(({ marker }) => marker)).size).toBe(all.length)
    for (const { text, marker } of all) {
      expect(text).toContain(marker)
      expect(text.normalize()).toBe(text)
      expect(text.isWellFormed()).toBe(true)
    }
  })

  test.each(injections)('$name is a body', ({ text }) => {
    for (const schema of [ThreadBody, ReplyBody, MessageBody]) expect(schema.parse(text)).toBe(text)
  })

  test.each(refusedInjections)('$name is none', ({ text }) => {
    for (const schema of [ThreadBody, ReplyBody, MessageBody]) {
      expect(codesOf(schema, text)).toEqual(['not_plain'])
    }
  })
})
