import { assert, jsonValue, pre, property } from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { jsonThread } from '#adapters/http/intake/json-thread.ts'
import { Assembly, piecesOf } from '#adapters/http/intake/pieces.ts'

function together(document: unknown): unknown {
  const assembly = new Assembly()
  for (const piece of piecesOf(document)) assembly.add(structuredClone(piece))
  return assembly.document
}

/** Lists and objects, large and small, within each other. */
const large = {
  list: Array.from({ length: 9000 }, (_, i) => i),
  texts: Array.from({ length: 40 }, (_, i) => `${i}`.repeat(40_000)),
  objects: Array.from({ length: 3000 }, (_, i) => ({ id: i, tags: [i, { a: null }] })),
  nested: { deep: { deeper: Array.from({ length: 5000 }, () => ({})) }, after: [] },
  '7': 'a number comes first',
  last: true,
}

describe('the pieces of a document', () => {
  it('make the same document, in the same order', () => {
    assert(
      property(jsonValue({ maxDepth: 6 }), (value) => {
        // Which is refused, as below.
        pre(!JSON.stringify(value).includes('"__proto__"'))
        const read: unknown = JSON.parse(JSON.stringify(value))
        expect(JSON.stringify(together(read))).toBe(JSON.stringify(read))
      }),
    )
    expect(JSON.stringify(together(large))).toBe(JSON.stringify(large))
    expect(together([large, large])).toEqual([large, large])
  })

  it('are small each', () => {
    const counted = (value: unknown): number =>
      typeof value === 'object' && value !== null
        ? Object.values(value).reduce<number>((sum, inner) => sum + counted(inner), 1)
        : 1
    const pieces = [...piecesOf(large)]
    expect(pieces.length).toBeGreaterThan(20)
    for (const piece of pieces) expect(counted(piece)).toBeLessThan(4500)
  })
})

describe('the thread that reads large bodies', () => {
  const thread = jsonThread()
  const blocksOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer>[] => {
    const half = Math.floor(bytes.length / 2)
    return [Uint8Array.from(bytes.subarray(0, half)), Uint8Array.from(bytes.subarray(half))]
  }
  const parse = (text: string | Uint8Array) => thread.parse(blocksOf(Buffer.from(text)), 'ada')
  afterAll(() => thread.close())

  it('gives what the text says', async () => {
    expect(await parse(JSON.stringify(large))).toEqual(large)
    expect(await parse('"ü"')).toBe('ü')
    expect(await parse('null')).toBe(null)
  })

  it('says what is wrong with it, and goes on', async () => {
    await expect(parse('{"a":')).rejects.toBeInstanceOf(SyntaxError)
    await expect(parse(Uint8Array.of(0x22, 0xff, 0x22))).rejects.toMatchObject({
      code: 'bad_json',
      message: 'The body is not well-formed UTF-8.',
    })
    await expect(parse('{"a":[{"__proto__":1}]}')).rejects.toMatchObject({
      code: 'bad_json',
      message: 'A member may not be called "__proto__".',
    })
    expect(await parse('[1]')).toEqual([1])
  })

  it('is replaced where a document takes too much, and so many wait at most', async () => {
    const short = jsonThread({ memoryMb: 32 })
    const text = JSON.stringify(Array.from({ length: 400_000 }, () => [{}]))
    await expect(short.parse(blocksOf(Buffer.from(text)), 'ada')).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(await short.parse(blocksOf(Buffer.from('[1]')), 'ada')).toEqual([1])
    const many = Array.from({ length: 6 }, () => short.parse(blocksOf(Buffer.from('1')), 'eve'))
    const results = await Promise.allSettled(many)
    expect(results.map(({ status }) => status).join(' ')).toBe(
      'fulfilled fulfilled fulfilled fulfilled fulfilled rejected',
    )
    await short.close()
  })
})
