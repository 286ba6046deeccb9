import { array, assert, integer, jsonValue, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonScan } from '#src/core/input/json-scan.ts'
import { Refusal } from '#src/core/errors.ts'

/** What a scan says of a text that comes in pieces cut at these places; undefined where it is content. */
function said(text: string, cuts: readonly number[] = []): string | undefined {
  const bytes = Buffer.from(text)
  const scan = new JsonScan()
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)]
  try {
    for (const [i, from] of places.entries()) scan.add(bytes.subarray(from, places[i + 1]))
    return undefined
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    expect(cause.code).toBe('too_deep')
    return cause.message
  }
}

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const items = (count: number, item = '1'): string => `[${Array(count).fill(item).join(',')}]`
const members = (count: number, name: (i: number) => string): string =>
  `{${Array.from({ length: count }, (_, i) => `"${name(i)}":1`).join(',')}}`

describe('a scan of JSON', () => {
  it.each([
    ['as many levels as there may be', nested(32), undefined],
    ['more levels', nested(33), 'more than 32 levels'],
    ['as many items as a list may have', items(100_000), undefined],
    ['more items', items(100_001), 'a list of more than 100000 items'],
    ['as many values as there may be', `[${items(99_999)},${items(99_998)}]`, undefined],
    ['more values', `[${items(99_999)},${items(99_999)}]`, 'more than 200000 members and items'],
    ['as many members as an object may have', members(5000, (i) => `m${i}`), undefined],
    ['more members', members(5001, (i) => `m${i}`), 'an object of more than 5000 members'],
    ['as many names that are numbers', members(5000, String), undefined],
    ['more of them', `[${members(5000, String)},{"1":1}]`, 'names are numbers'],
    [
      'more of them, escaped',
      `[${members(5000, (i) => `\\u0030${i}`)},{"\\u0031":1}]`,
      'names are numbers',
    ],
    ['more of them, each in an object', items(5001, '{"7":1}'), 'names are numbers'],
    ['texts that look like all of that', JSON.stringify(nested(100) + '{"1":[,,,'), undefined],
    ['values that are numbers in texts', items(50_000, '"7"'), undefined],
  ])('of %s', (_, text, message) => {
    const cuts = Array.from({ length: 50 }, (_, i) => i * 977)
    for (const pieces of [[], cuts]) {
      if (message === undefined) expect(said(text, pieces)).toBe(undefined)
      else expect(said(text, pieces)).toContain(message)
    }
  })

  it('is content with what is small, however it is cut and spelt', () => {
    assert(
      property(jsonValue({ maxDepth: 8 }), array(integer({ min: 0 })), (value, cuts) => {
        expect(said(JSON.stringify(value), cuts)).toBe(undefined)
        expect(said(JSON.stringify(value, null, 2), cuts)).toBe(undefined)
      }),
    )
  })

  it('takes what is no JSON without a fault of its own', () => {
    for (const text of ['}}}]]]', '"', '{"a', ',,,:::', '\\', '{]}[', '1 2 3', '{"a":"\\']) {
      expect(said(text)).toBe(undefined)
    }
  })
})
