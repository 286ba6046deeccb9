import { describe, expect, it } from 'vitest'
import { Refusal } from '#src/core/errors.ts'
import { draftOf } from '#src/agents/imports/draft.ts'
import type { Draft } from '#src/agents/copies/copyist.ts'
import {
  chunk,
  compressedChunk,
  internationalChunk,
  png,
  secondCard,
  textChunk,
  thirdCard,
} from './samples.ts'

const text = (content: string): Draft => draftOf(Buffer.from(content))
const draft = (content: unknown): Draft => text(JSON.stringify(content))
const codeOf = (read: () => unknown): string => {
  try {
    read()
  } catch (cause) {
    if (cause instanceof Refusal) return cause.code
    throw cause
  }
  return 'read'
}

describe('the JSON of a file', () => {
  it.each([
    ['lists', '['.repeat(1_000_000)],
    ['objects', '{"a":'.repeat(1_000_000)],
    ['lists in a name', `{"name":"x","a":${'[['.repeat(50)}`],
  ])('is refused when it is nested too deep: %s', (_, content) => {
    expect(codeOf(() => text(content))).toBe('too_deep')
  })

  it('is refused when it has too many members', () => {
    expect(codeOf(() => text(`{"name":"x","a":[${'0,'.repeat(300_000)}0]}`))).toBe('too_deep')
  })

  it('is measured outside of texts alone', () => {
    const bio = '[[{{\\",'.repeat(1000)
    expect(draft({ name: 'x', bio }).input.bio).toBe(bio)
  })

  it('may be of other programs 32 levels deep, and of this one 40', () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    const card = (levels: number): unknown => ({ ...secondCard, in: nested(levels) })
    expect(codeOf(() => draft(card(31)))).toBe('read')
    expect(codeOf(() => draft(card(32)))).toBe('too_deep')
    expect(codeOf(() => draft({ name: 'x', in: nested(39) }))).toBe('read')
    expect(codeOf(() => draft({ name: 'x', in: nested(40) }))).toBe('too_deep')
  })

  it.each(['utf-16le', 'utf-16be'])('is read as %s where its mark says so', (encoding) => {
    const bytes = Buffer.from('\ufeff{"name":"Ünä"}', 'utf16le')
    const file = encoding === 'utf-16le' ? bytes : bytes.swap16()
    expect(draftOf(file).input.name).toBe('Ünä')
  })

  it('is refused when it is no UTF-8', () => {
    expect(codeOf(() => draftOf(Buffer.from('7b226e616d65223a22ff227d', 'hex')))).toBe(
      'import_unreadable',
    )
  })

  it('is never quoted where it cannot be parsed', () => {
    expect(() => text('{"name": marker-of-a-secret}')).toThrow(
      expect.objectContaining({
        message: expect.not.stringContaining('marker') as string,
      }) as Error,
    )
  })

  it('loses members called __proto__, and nothing else happens', () => {
    const { input, report } = text(
      '{"name":"x","__proto__":{"bio":"no"},"a":{"__proto__":1,"b":2}}',
    )
    expect(input).toMatchObject({ name: 'x', bio: null, a: { b: 2 } })
    expect(report.dropped.map(({ pointer }) => pointer)).toEqual(['/__proto__', '/a/__proto__'])
    expect({}).not.toHaveProperty('bio')
  })

  it('keeps numbers that would come back as others as texts', () => {
    const { input } = text('{"name":"x","a":[12345678901234567890,1e400,0.1,9007199254740991]}')
    expect(input.a).toEqual(['12345678901234567890', '1e400', 0.1, 9_007_199_254_740_991])
  })

  it('has its broken characters replaced and its texts in one form', () => {
    const { input, report } = text(String.raw`{"name":"x","bio":"a\ud800b","role":"e\u0301"}`)
    expect(input).toMatchObject({ bio: 'a\ufffdb', role: '\u00e9' })
    expect(report.notes).toMatchObject([{ pointer: '/bio' }])
  })
})

describe('the name of an agent', () => {
  it.each([
    ['  Ada\u0000\u202e\u200b ', 'Ada'],
    ['😀'.repeat(300), '😀'.repeat(200)],
    ['\u202dAda\u2069', 'Ada'],
  ])('shows all of itself: %j', (name, shown) => {
    expect(draft({ name }).input.name).toBe(shown)
    expect(draft({ name }).report.notes).toMatchObject([{ pointer: '/name' }])
  })

  it.each([['\u202e\u0007'], [' '], ['']])('is needed: %j', (name) => {
    const data = { name, description: 'x' }
    expect(codeOf(() => draft({ spec: 'chara_card_v2', data }))).toBe('import_unreadable')
  })

  it('is never filled in until it is too much', () => {
    const data = { name: 'N'.repeat(200), description: '{{char}}'.repeat(1_000_000) }
    const { input, report } = draft({ spec: 'chara_card_v2', data })
    expect(input.bio).toHaveLength(20_000)
    expect(input.brain?.system_prompt_override?.length).toBeLessThanOrEqual(100_000)
    expect(report.notes.map(({ pointer }) => pointer)).toContain('/data/description')
  })

  it('stands in texts as it is shown', () => {
    const data = {
      name: `\u202eAda ${'x'.repeat(1_000_000)}`,
      description: '{{char}}'.repeat(20_000),
    }
    const { input } = draft({ spec: 'chara_card_v2', data })
    expect(input.bio?.startsWith(input.name + input.name)).toBe(true)
    expect(input.brain?.system_prompt_override).not.toContain('\u202e')
  })

  it('may hold what replacements would take for their own', () => {
    const data = { name: "$& $1 $'", description: '{{char}} reads.' }
    expect(draft({ spec: 'chara_card_v2', data }).input.bio).toBe("$& $1 $' reads.")
  })
})

describe('secrets', () => {
  const key = 'sk-ant-api03-Zk3vQ9wLr7TbXy2NcM5dHf8JgPs1Ue4Ia6Ro0Wt'

  it('are taken out of longer texts, and the rest stays', () => {
    const { input, report } = draft({ name: 'x', bio: `Call it with ${key} please` })
    expect(input.bio).toBe('Call it with [secret] please')
    expect(JSON.stringify(report)).not.toContain(key)
    expect(report.dropped).toMatchObject([{ pointer: '/bio' }])
  })

  it.each([
    [{ 'x-api-key': 'abc' }],
    [{ apiKey: 'abc' }],
    [{ Authorization: 'Bearer abc def' }],
    [{ password: 'a b c' }],
    [{ secrets: { ANY: 'abc', OTHER: 7 } }],
    [{ nested: [{ client_secret: 'abc' }] }],
    [{ plain: key }],
  ])('are not kept under any name: %j', (extra) => {
    for (const document of [
      { name: 'x', ...extra },
      { ...secondCard, ...extra },
    ]) {
      const made = draft(document)
      expect(made.report.dropped.length).toBeGreaterThan(0)
      expect(JSON.stringify(made)).not.toMatch(/abc|sk-ant|a b c/)
    }
  })

  it('are never in a name that is told of', () => {
    const made = draft({ name: 'x', [key]: 1 })
    expect(JSON.stringify(made)).not.toContain(key)
  })

  it('are not what only names one', () => {
    const headers = { Authorization: 'Bearer {{secret.TOKEN}}', 'x-api-key': '{{secret.KEY}}' }
    expect(draft({ name: 'x', headers }).input.headers).toEqual(headers)
  })
})

describe('a card in a picture', () => {
  const named = (...chunks: Buffer[]): string => draftOf(png(...chunks)).input.name

  it.each([
    ['text', textChunk('chara', secondCard)],
    ['capital letters', textChunk('Chara', secondCard)],
    ['a text of any language', internationalChunk('chara', secondCard, false)],
    ['the same, compressed', internationalChunk('chara', secondCard, true)],
    [
      'compressed text',
      compressedChunk(
        'chara',
        Buffer.from(Buffer.from(JSON.stringify(secondCard)).toString('base64')),
      ),
    ],
    ['bare JSON', chunk('tEXt', Buffer.from(`chara\0${JSON.stringify(secondCard)}`))],
  ])('is found as %s', (_, part) => {
    expect(named(part)).toBe('Mira Vale')
  })

  it('is the third version where there are both, in any order', () => {
    const [second, third] = [textChunk('chara', secondCard), textChunk('ccv3', thirdCard)]
    expect(named(second, third)).toBe('Oskar Lindqvist')
    expect(named(third, second)).toBe('Oskar Lindqvist')
  })

  it('is not what was appended after it', () => {
    expect(named(textChunk('chara', secondCard), textChunk('chara', { name: 'Other' }))).toBe(
      'Mira Vale',
    )
  })

  it('tells of assets that are not read, and gives the picture without its texts', () => {
    const asset = chunk('tEXt', Buffer.from('chara-ext-asset_:a.png\0aaaa'))
    const { picture, report } = draftOf(png(textChunk('chara', secondCard), asset))
    expect(report.dropped).toMatchObject([{ pointer: '' }])
    expect(Buffer.from(picture ?? []).equals(png())).toBe(true)
  })

  it.each([
    ['cut anywhere', png(textChunk('chara', secondCard)).subarray(0, -20)],
    [
      'a length beyond its end',
      Buffer.concat([png().subarray(0, 8), Buffer.from('7fffffff74455874', 'hex')]),
    ],
    ['no base64', png(chunk('tEXt', Buffer.from('chara\0%%%%')))],
    ['a text without an end of its keyword', png(chunk('tEXt', Buffer.from('chara')))],
    ['a broken compression', png(chunk('zTXt', Buffer.from('chara\0\0nothing')))],
    ['a broken text of any language', png(chunk('iTXt', Buffer.from('chara\0\0')))],
  ])('is refused: %s', (_, file) => {
    expect(codeOf(() => draftOf(Buffer.from(file)))).toBe('import_unreadable')
  })
})
