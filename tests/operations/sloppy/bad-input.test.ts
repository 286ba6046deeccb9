import { describe, expect, test } from 'vitest'
import { served } from '#tests/support/served/served.ts'

const here = served()

/** What a door answers to a body that is sent as it is. */
async function sent(path: string, body: string): Promise<string> {
  const response = await fetch(here.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${here.key}`,
    },
    body,
  })
  return (await response.text()).replaceAll('\\', '')
}

/** The bodies of a call with this JSON as an agent, by door. */
const calls: readonly [door: string, path: string, body: (agent: string) => string][] = [
  ['REST', '/api/characters/', (agent) => agent],
  [
    'MCP',
    '/mcp',
    (agent) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"characters_create","arguments":{"character":${agent}}}}`,
  ],
  [
    'A2A',
    '/a2a',
    (agent) =>
      `{"jsonrpc":"2.0","id":1,"method":"characters.create","params":{"character":${agent}}}`,
  ],
]

describe.each(calls)('by %s', (_, path, body) => {
  test('an unknown member ten thousand levels deep is refused', async () => {
    const deep = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)
    expect(await sent(path, body(`{"name":"Ada","mood":${deep}}`))).toContain('"code":"too_deep"')
  })

  test('an unknown member that is called __proto__ is refused', async () => {
    const named = body('{"name":"Ada","__proto__":{"mood":"calm"}}')
    expect(await sent(path, named)).toContain('"code":"bad_json"')
  })
})

test.each([
  ['commons.search.query', { q: 'word '.repeat(10_000) }],
  ['commons.consult.ask', { question: 'word '.repeat(10_000) }],
  ['operations.search', { q: 'word '.repeat(10_000) }],
])('%s refuses ten thousand words, and says what is too long', async (name, input) => {
  const refused = await sent(
    '/a2a',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: input }),
  )
  expect(refused).toContain('"code":"too_big"')
  const tool = { name: name.replaceAll('.', '_'), arguments: input }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
  expect(await sent('/mcp', JSON.stringify(call))).toContain('"code":"too_big"')
})

test('/health takes any query, and other addresses none that they do not know', async () => {
  for (const query of ['?check=1', `?key=${here.key}`, '?api_key=x&token=y&z']) {
    const { status } = await fetch(`${here.url}/health${query}`)
    expect(status, query).toBe(200)
  }
  const open = await fetch(`${here.url}/api/commons/threads?api_key=x&key=y&token=z`)
  expect(open.status).toBe(200)
  expect((await fetch(`${here.url}/api/commons/threads?bord=ask`)).status).toBe(422)
})

describe('a text or a list where an object is asked for', () => {
  const inputs = ['[{"name":"Ada"}]', '"Ada"', '5']

  /** The JSON that a hint shows after these words. */
  const shownAfter = (text: string, words: RegExp): string => words.exec(text)?.[1] ?? ''

  test.each([...inputs, 'Ada', '{name: "Ada"}'])(
    'by REST, as %s, is shown an object',
    async (body) => {
      const refused = await sent('/api/schedules/preview', body)
      const shown = shownAfter(refused, /POST \/api\/schedules\/preview (\{.+?\})`/)
      expect(await sent('/api/schedules/preview', shown)).toContain('"fires_at"')
    },
  )

  test.each(inputs)('by MCP, as %s, is shown the arguments of the tool', async (body) => {
    const call = (params: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`
    const refused = await sent('/mcp', call(`{"name":"schedules_preview","arguments":${body}}`))
    const shown = shownAfter(refused, /(\{"name":"schedules_preview","arguments":\{.+?\}\})\./)
    expect(await sent('/mcp', call(shown))).toContain('"fires_at"')
  })

  test.each(inputs)('by A2A, as %s, is shown the params of the method', async (body) => {
    const call = (params: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"schedules.preview","params":${params}}`
    const refused = await sent('/a2a', call(body))
    const shown = shownAfter(refused, /(\{"cron":.+?\})/)
    expect(await sent('/a2a', call(shown))).toContain('"fires_at"')
  })
})
