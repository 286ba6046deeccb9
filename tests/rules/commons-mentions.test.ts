import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf } from '#src/commons/excerpt.ts'
import { mentionsIn } from '#src/commons/mentions.ts'
import { injections } from '#tests/support/injections.ts'

describe('mentions', () => {
  it.each<[string, string, string[]]>([
    ['one', '@ada, look', ['ada']],
    ['several, each once', 'Hi @ada and @quiet-otter-1f09ac! @Ada?', ['ada', 'quiet-otter-1f09ac']],
    [
      'before punctuation',
      '(@ada) "@bob" @cyd. @dan: yes… @eve’s',
      ['ada', 'bob', 'cyd', 'dan', 'eve'],
    ],
    ['in marks', '**@ada** _@bob_ > @cyd', ['ada', 'cyd']],
    ['between letters of other scripts', '谢谢@adaさん', ['ada']],
    ['on lines of their own', '@ada\r\n@bob\n', ['ada', 'bob']],
    ['next to code', '`x` @ada `y`', ['ada']],
    ['after code that is not closed', 'a ` b @ada', ['ada']],
    ['after a paragraph with a stray mark', 'a ` b\n\n@ada\n\nc ` d', ['ada']],
    ['after a fence', '```\n@no1\n```\n@ada', ['ada']],
    ['after marks of code that are escaped', '\\`@ada `x`', ['ada']],
  ])('%s', (_, body, handles) => {
    expect(mentionsIn(body)).toEqual(handles)
  })

  it.each<[string, string]>([
    ['a mail address', 'ada@example.com a.b+c@ada-b.org josé@example.com'],
    ['a host', '@example.com @localhost:8080'],
    ['a package', 'npm i @types/node and lib@latest or x@1.2.3'],
    ['the address of a page', 'https://example.com/@ada https://x.io/?u=@ada#@ada'],
    ['too short', '@a @ab @'],
    ['too long', `@${'a'.repeat(33)}`],
    ['a handle of elsewhere', '@foo_bar @ada@example.com @-ada @ädä'],
    ['escaped', '\\@ada'],
    ['a span of code', 'see `@ada` and `` x ` @bob ``'],
    ['a span over two lines', 'see `a\n@ada` end'],
    ['a fenced block', '```ts\n@ada\n```'],
    ['a fence of waves', '~~~\n@ada\n```\n@bob\n~~~'],
    ['a longer fence', '````\n```\n@ada\n```\n````'],
    ['a fence that stays open', 'x\n```\n@ada\n\n@bob'],
    ['a fence in a quotation', '> ```\n> @ada\n> ```'],
    ['a fence in a list', '1. ```py\n   @ada\n   ```'],
    ['a name without a mark', 'ada'],
  ])('not %s', (_, body) => {
    expect(mentionsIn(body)).toEqual([])
  })

  it('are at most ten', () => {
    const all = Array.from({ length: 30 }, (_, i) => `@agent-${i}`)
    expect(mentionsIn(all.join(' '))).toEqual(all.slice(0, 10).map((x) => x.slice(1)))
  })

  it('are valid handles in any text', () => {
    const piece = fc.constantFrom(
      '@',
      '`',
      '```',
      '\n',
      'ada',
      '-',
      '.',
      ' ',
      '~~~',
      '> ',
      'ö',
      '\\',
      '/',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const handle of mentionsIn(pieces.join(''))) {
          expect(handle).toMatch(/^[a-z0-9][a-z0-9-]{2,31}$/)
        }
      }),
    )
  })

  it('are found soon in a text made of marks', () => {
    const runs = Array.from({ length: 250 }, (_, i) => '`'.repeat(i + 1)).join('@a ')
    const texts = ['`@', '@', '``` @', '\n```\n', '> ', '@a', '- '].map((x) => x.repeat(16_000))
    const before = process.threadCpuUsage()
    for (const text of [runs, ...texts]) mentionsIn(`${text} @ada`)
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000)
  })
})

const segmenter = new Intl.Segmenter('en')
const lengthOf = (text: string) => [...segmenter.segment(text)].length

describe('an excerpt', () => {
  it.each<[string, string, number, string]>([
    ['a short text as it is', 'How do I do it?', 40, 'How do I do it?'],
    ['on one line', ' a\n\n\tb  c ', 40, 'a b c'],
    ['up to the end of a word', 'The quick brown fox jumps', 16, 'The quick brown…'],
    ['that fits to the letter', 'The quick brown', 15, 'The quick brown'],
    ['inside a word that is too long', 'a'.repeat(40), 10, `${'a'.repeat(9)}…`],
    ['without marks', '## A **bold** [link](https://x.io) and `code`', 80, 'A bold link and code'],
    ['without fences', 'See:\n```ts\nlet a_b = 2 * 3\n```', 80, 'See: let a_b = 2 * 3'],
    ['of items and quotations', '> - one\n* two\n1. three', 80, 'one two 1. three'],
    ['with names in code', 'Set __init__ and snake_case_name', 80, 'Set init and snake_case_name'],
    ['that splits no emoji', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2, '👩‍👩‍👧‍👦…'],
    ['of nothing', ' \n ', 10, ''],
  ])('%s', (_, text, max, excerpt) => {
    expect(excerptOf(text, max)).toBe(excerpt)
  })

  it('has 200 characters at most unless told', () => {
    const excerpt = excerptOf('word '.repeat(7000))
    expect(lengthOf(excerpt)).toBeLessThanOrEqual(200)
    expect(lengthOf(excerpt)).toBeGreaterThan(190)
    expect(excerpt).toMatch(/word…$/)
  })

  it('of a text that goes on after much white space is cut too', () => {
    expect(excerptOf(`a${' '.repeat(10_000)}b`, 10)).toMatch(/…$/)
    expect(excerptOf('🦊'.repeat(40), 2)).toBe('🦊…')
  })

  it('is one well-formed line of that length for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc
        .array(fc.constantFrom('**', '[', '](', ')', '`', '#', ' ', '\n', 'ab', '👩‍💻', '_'), {
          maxLength: 200,
        })
        .map((pieces) => pieces.join('')),
      fc.constantFrom(...injections.map(({ text }) => text)),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (body, max) => {
        const excerpt = excerptOf(body, max)
        expect(lengthOf(excerpt)).toBeLessThanOrEqual(max)
        expect(excerpt.isWellFormed()).toBe(true)
        expect(excerpt).not.toMatch(/\n|\t|\s\s|^\s|\s$/)
      }),
    )
  })
})
