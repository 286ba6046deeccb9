import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { sizeSteps } from '#src/core/counts/size-steps.ts'
import { copySteps } from '#src/core/input/copy-steps.ts'
import { parsedSteps } from '#src/core/input/json-steps.ts'
import { textSteps } from '#src/core/input/text-steps.ts'
import type { Steps } from '#src/core/turns/portions.ts'

/** How many steps there are, and what they make. */
function counted<T>(steps: Steps<T>): { count: number; value: T } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next()
    if (done) return { count, value }
  }
}

const filled = (length: number, of: string): string => of.repeat(Math.ceil(length / of.length))
const many = Array.from({ length: 50_000 }, (_, i) => [
  i,
  { of: `item ${i}`, none: null, yes: true },
])

/** Documents of a megabyte or more, each cut in another place. */
const large: Record<string, unknown> = {
  'a text': filled(1_200_000, 'plain '),
  'a text of quotes': filled(900_000, '"'),
  'a text of backslashes': `x${filled(900_000, '\\')}`,
  'a text of signs without a name': `xy${filled(300_000, '\u0001')}`,
  'a text of escapes and letters': filled(700_000, '\\"u\n\u0007é漢😀'),
  'a text of halves of pairs': `x${filled(400_000, '\ud83d')}`,
  'a list of small items': many,
  'a list of large items': Array.from({ length: 4 }, () => [filled(400_000, 'ab"'), 1, []]),
  'an object of small members': Object.fromEntries(
    Array.from({ length: 30_000 }, (_, i) => [`name ${i}, of "it": {`, [i, 'x']]),
  ),
  'a large member below others': {
    'first, [': 1,
    'a "name": {': { list: many, text: filled(400_000, '[{",') },
    last: {},
  },
}

describe.each(Object.entries(large))('%s', (_, document) => {
  const text = JSON.stringify(document)

  it('is parsed in steps', () => {
    const { count, value } = counted(parsedSteps(text))
    expect(count).toBeGreaterThan(text.length / 300_000)
    // Far faster than a comparison of the values.
    expect(JSON.stringify(value) === text).toBe(true)
  })

  it('is written in steps', () => {
    const { count, value } = counted(textSteps(document))
    expect(count).toBeGreaterThan(2)
    expect(value === text).toBe(true)
  })

  it('is measured in steps', () => {
    const { count, value } = counted(sizeSteps(document))
    expect(value).toBe(sizeOf(document))
    expect(count).toBeGreaterThan(2)
    const bytes = counted(sizeSteps(document, (one) => Buffer.byteLength(one)))
    expect(bytes.value).toBe(Buffer.byteLength(text))
  })

  it('is copied, and the copy is another', () => {
    const { value } = counted(copySteps(document))
    expect(JSON.stringify(value) === text).toBe(true)
    if (typeof document === 'object') expect(value).not.toBe(document)
  })
})

it.each(
  [null, 0, '', [], {}, [[]], [null, { a: { b: [] } }], { a: 'x"', b: false }, 'a'].map(
    (document) => ({ document }),
  ),
)('a small document is parsed, written, measured and copied: $document', ({ document }) => {
  const text = JSON.stringify(document)
  expect(counted(parsedSteps(text)).value).toEqual(document)
  expect(counted(textSteps(document)).value).toBe(text)
  expect(counted(sizeSteps(document)).value).toBe(text.length)
  expect(counted(copySteps(document)).value).toEqual(document)
})

it('a list of 50,000 items is copied in steps', () => {
  expect(counted(copySteps(many)).count).toBeGreaterThan(30)
})

it('what is undefined is written and measured as it is alone', () => {
  const document = { a: undefined, b: [undefined, 1], c: { d: undefined } }
  expect(counted(sizeSteps(document)).value).toBe(sizeOf(document))
  const all = { ...document, many, e: undefined, f: [undefined, ...many] }
  expect(counted(textSteps(all)).value === JSON.stringify(all)).toBe(true)
})

it.each([1, 4000])('a member called __proto__ is one like others, %i times', (count) => {
  const members = Array.from(
    { length: count },
    () => `{"a":1,"__proto__":{"b":"${'x'.repeat(90)}"}}`,
  )
  const text = `{"__proto__":[${members.join()}],"z":{"__proto__":null}}`
  expect(JSON.stringify(counted(parsedSteps(text)).value) === text).toBe(true)
  expect(counted(textSteps(JSON.parse(text))).value === text).toBe(true)
  expect(JSON.stringify(counted(copySteps(JSON.parse(text))).value) === text).toBe(true)
})

describe('a large text that someone else has written', () => {
  const wide = `[${Array.from({ length: 4000 }, (_, i) => `{"n${i}": [${i}, "x"]}`).join(' ,\n')}]`
  const read = (text: string): unknown => counted(parsedSteps(text)).value
  const pad = ' '.repeat(20_000)
  const long = 'x'.repeat(300_000)

  it.each([
    ['blanks around', ` \n\t\r${wide}\n`],
    ['blanks within', `{ "a" : ${wide} , ${pad} "b" : [ ${pad} ] , "c":{${pad}} }`],
    ['a name twice', `{"a":1,"b":${wide},"a":2}`],
    ['a long text', ` "${long}\\"" `],
  ])('is parsed with %s', (_, text) => {
    expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)))
  })

  it.each([
    ['a comma before its end', `${wide.slice(0, -1)},]`],
    ['a comma and blanks before its end', `${wide.slice(0, -1)},${pad}]`],
    ['a comma at its beginning', `[,${wide.slice(1)}`],
    ['two commas', `[${wide},,${wide}]`],
    ['two commas and blanks between', `[${wide},${pad},${wide}]`],
    ['a comma before the end of an object', `{"a":${wide},}`],
    ['two commas in an object', `{"a":${wide},,"b":1}`],
    ['nothing for a value', `{"a":${wide},"b":}`],
    ['a name that is no text', `{1:${wide}}`],
    ['no name', `{${wide}}`],
    ['another bracket', `${wide.slice(0, -1)}}`],
    ['another bracket within', `[1,${wide.slice(0, -1)}},2]`],
    ['two lists', `${wide},${wide}`],
    ['a bracket too many', `${wide}]`],
    ['a bracket too few', `[${wide}`],
    ['a text without its end', `["${long}]`],
    ['a text whose end is escaped', `"${long}\\"`],
    ['a text with a line', `"${long}\n"`],
    ['two texts', `"${long}" "${long}"`],
    ['only blanks', pad],
  ])('is no JSON with %s', (_, text) => {
    expect(() => void JSON.parse(text)).toThrow(SyntaxError)
    expect(() => read(text)).toThrow(SyntaxError)
  })

  it('is taken or refused as it is at once, however it was changed', () => {
    const at = fc.nat({ max: wide.length - 1 })
    const put = fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '\\', ' ', '1', ',,')
    fc.assert(
      fc.property(at, put, fc.nat({ max: 3 }), (place, piece, gone) => {
        const text = wide.slice(0, place) + piece + wide.slice(place + gone)
        const outcome = (parse: (text: string) => unknown): string => {
          try {
            return JSON.stringify(parse(text))
          } catch (cause) {
            return cause instanceof SyntaxError ? 'no JSON' : String(cause)
          }
        }
        expect(outcome(read) === outcome((one) => JSON.parse(one) as unknown)).toBe(true)
      }),
    )
  })
})
