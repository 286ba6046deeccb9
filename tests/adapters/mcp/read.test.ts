import * as fc from 'fast-check'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { linesOf, noText, tooLong } from '#adapters/commands/mcp/lines.ts'
import { messagesIn } from '#adapters/commands/mcp/reply.ts'

/** The bytes of a text in parts of these sizes, over and over. */
function* partsOf(text: string, sizes: readonly number[]): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0, i = 0; at < bytes.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

describe('lines', () => {
  const linesIn = (text: string, parts: readonly number[] = [7], most = 1000) =>
    Array.fromAsync(linesOf(Readable.from(partsOf(text, parts)), most))

  test('come whole, however the bytes were cut', async () => {
    const line = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .map((text) => text.replaceAll(/[\r\n]/g, '_').trim())
      .filter((text) => text !== '')
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        sizes,
        fc.constantFrom('\n', '\r\n'),
        async (all, parts, end) => {
          const text = all.map((one) => one + end).join('')
          expect(await linesIn(text, parts, 1e6)).toEqual(all)
        },
      ),
    )
  })

  test('that are empty are none, and the last may have no end', async () => {
    expect(await linesIn('\n\na\n \r\nb')).toEqual(['a', 'b'])
    expect(await linesIn('')).toEqual([])
  })

  test('that are too long are passed over, and those after them are not', async () => {
    expect(await linesIn(`a\n${'x'.repeat(5000)}\nb\n`)).toEqual(['a', tooLong, 'b'])
    expect(await linesIn('x'.repeat(1000))).toEqual(['x'.repeat(1000)])
    expect(await linesIn('x'.repeat(1001))).toEqual([tooLong])
  })
})

test('lines that are no text are told from those around them', async () => {
  const bytes = [Buffer.from('a\n"'), Buffer.from([0xff]), Buffer.from('"\n"\u00e9"\n')]
  const lines = await Array.fromAsync(linesOf(Readable.from(bytes), 1000))
  expect(lines).toEqual(['a', noText, '"\u00e9"'])
})

describe('the messages of a reply', () => {
  const events = (text: string, parts: readonly number[]) =>
    Array.fromAsync(
      messagesIn({
        status: 200,
        contentType: 'text/event-stream; charset=utf-8',
        // Node's streams are those of the web but for their types.
        body: Readable.toWeb(Readable.from(partsOf(text, parts))) as ReadableStream<Uint8Array>,
      }),
    )

  test('are the data of its events, however the bytes were cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.json()), sizes, async (all, parts) => {
        const text = all.map((data) => `: keepalive\n\nevent: message\ndata: ${data}\n\n`).join('')
        expect(await events(text, parts)).toEqual(all)
      }),
    )
  })

  test('may end their lines in another way, or stand on several', async () => {
    expect(await events('data: {"a":\r\ndata: 1}\r\n\r\nid: 7\r\ndata:[]\r\n\r\n', [3])).toEqual([
      '{"a":\n1}',
      '[]',
    ])
  })

  test('are none where an event has not come to its end', async () => {
    expect(await events('data: {}\n\ndata: {"half"', [5])).toEqual(['{}'])
  })

  test.each([
    ['JSON', 'application/json; charset=utf-8', '{"a":1}', ['{"a":1}']],
    ['nothing', 'application/json', '', []],
    ['a page', 'text/html', '<html>', []],
    ['no body', '', undefined, []],
  ])('of %s are %s', async (_, contentType, body, found) => {
    expect(await Array.fromAsync(messagesIn({ status: 200, contentType, body }))).toEqual(found)
  })
})
