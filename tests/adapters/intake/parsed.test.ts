import { afterAll, describe, expect, it } from 'vitest'
import { jsonThread } from '#adapters/http/intake/json-thread.ts'
import { parsedJson } from '#adapters/http/intake/parsed.ts'

const thread = jsonThread()
afterAll(() => thread.close())

/** What becomes of a body that is parsed here, and of one that a thread parses. */
async function bothOf(bytes: Buffer): Promise<unknown[]> {
  const read = [async () => parsedJson(bytes), () => thread.parse([Uint8Array.from(bytes)], 'a')]
  return Promise.all(
    read.map((one) =>
      one().catch((cause: unknown) => (cause instanceof SyntaxError ? 'no JSON' : cause)),
    ),
  )
}

describe('a body of some size', () => {
  it.each([
    '{"a":[1,{"b":"\\u00e9 \u6f22"}],"proto__":1}',
    '{"a":"__proto__"}',
    '{"\\u005f_prot":1}',
    'null',
    '{"a":',
    '',
  ])('is read as a large one is: %s', async (text) => {
    const [here, there] = await bothOf(Buffer.from(text))
    expect(here).toEqual(there)
  })

  it.each([
    Buffer.from('{"a":[{"__proto__":{"b":1}}]}'),
    Buffer.from('{"a":[{"\\u005f_proto_\\u005F":{"b":1}}]}'),
    Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')]),
  ])('is refused as a large one is', async (bytes) => {
    const [here, there] = await bothOf(bytes)
    expect(here).toMatchObject({ code: 'bad_json' })
    expect(here).toEqual(there)
  })

  it('may begin with the mark of its encoding', () => {
    expect(parsedJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 })
  })
})
