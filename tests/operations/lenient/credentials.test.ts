import { describe, expect, test } from 'vitest'
import { newToken } from '#src/core/ids.ts'
import { callsOf, manifest } from '#tests/support/served/calls.ts'
import { served } from '#tests/support/served/served.ts'

const here = served({ character: { id: 'keys' } })

const key = newToken('ab')
const fault = (pointer: string) => [
  expect.objectContaining({ code: 'credential_misplaced', pointer }),
]

test.for([
  ['POST', '/api/characters/', { id: 'withkey', name: 'A', api_key: key }, '/api_key'],
  ['PUT', '/api/characters/keys', { authorization: `Bearer ${key}` }, '/authorization'],
  ['PUT', '/api/characters/keys', { 'x-api-key': newToken('cmn') }, '/x-api-key'],
  ['PUT', '/api/characters/keys', { metadata: { a: [newToken('act')] } }, '/metadata'],
  ['PUT', '/api/characters/keys', { brain: { token: key } }, '/brain/token'],
  ['PUT', '/api/characters/keys', { [key]: 1 }, ''],
  ['POST', '/api/characters/keys/tasks', { name: 'T', prompt: 'p', key }, '/key'],
  ['POST', '/api/characters/keys/tasks', { task: { name: 'T', prompt: 'p', key } }, '/key'],
  ['POST', '/api/agent-apps/', { ...manifest('keyed'), api_key: key }, '/api_key'],
  ['POST', '/api/agent-apps/validate', { ...manifest('keyed'), api_key: key }, '/api_key'],
] as const)(
  'over REST %s %s with a credential in it is refused: %j',
  async ([method, path, body, at]) => {
    const { status, body: answer } = await here.calls.rest(method, path, body)
    expect({ status, ...answer }).toMatchObject({ status: 422, errors: fault(at) })
    expect(answer['detail']).toContain('Authorization: Bearer')
    expect(JSON.stringify(answer)).not.toMatch(/(ab|cmn|act)_[0-9A-Za-z]{38}/)
  },
)

test('over MCP and A2A too, wrapped and flat, and nothing is kept', async () => {
  const flat = { id: 'never', name: 'Ada', api_key: key }
  for (const input of [flat, { character: flat }]) {
    const overMcp = await here.calls.mcp('characters_create', input)
    const told = { code: 'invalid_input', errors: fault('/character/api_key') }
    expect(overMcp.result).toMatchObject({ isError: true, _meta: { 'abode/error': told } })
    const overA2a = await here.calls.a2a('characters.create', input)
    expect(overA2a.error?.data).toMatchObject(told)
    expect(JSON.stringify([overMcp, overA2a])).not.toContain(key)
  }
  expect((await here.calls.rest('GET', '/api/characters/never', undefined)).status).toBe(404)
})

test('what only looks like a credential is kept', async () => {
  const like = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`
  const body = { id: 'like', name: 'Ada', note: 'Keys begin with ab_…', api_key: like }
  const { status, body: answer } = await here.calls.rest('POST', '/api/characters/', body)
  expect({ status, ...answer }).toMatchObject({ status: 201, api_key: like })
})

test('in what is searched for it costs one look at each text', async () => {
  const note = 'ab_'.repeat(200_000)
  const { status } = await here.calls.rest('POST', '/api/characters/', { name: 'Ada', note })
  expect(status).toBe(201)
})

describe('without a credential, where one came instead', () => {
  const keyless = () => callsOf(here.url, undefined)

  test.each([
    ['POST', '/api/api-keys/', { name: 'Other', api_key: 'hush' }, 'api_key'],
    ['POST', '/api/api-keys/', { name: 'Other', note: key }, 'note'],
    ['POST', '/api/characters/', { name: 'Ada', token: 'hush' }, 'token'],
    ['PUT', '/api/characters/keys', { note: `Bearer ${key}` }, 'note'],
    ['DELETE', '/api/characters/keys', { authorization: key }, 'authorization'],
  ] as const)(
    'over REST, in the body of %s %s as %j, is told',
    async (method, path, body, name) => {
      const { status, body: said } = await keyless().rest(method, path, body)
      expect({ status, ...said }).toMatchObject({
        status: 401,
        code: 'unauthenticated',
        hint: expect.stringContaining(
          `came as the member "${name}" of the input. Send it in the header`,
        ),
      })
      expect(JSON.stringify(said)).not.toContain(key)
    },
  )

  test.each([
    ['a member that the operation has', '/api/webhooks', { url: 'https://a.example', secret: 'x' }],
    ['an ordinary member', '/api/api-keys/', { name: 'Other' }],
    ['no JSON', '/api/api-keys/', '{"api_key": '],
    [
      'more than a call with a key in it has',
      '/api/api-keys/',
      { api_key: 'x', note: 'x'.repeat(5000) },
    ],
  ])('over REST %s says nothing of a key', async (_, path, body) => {
    const { status, body: said } = await keyless().rest('POST', path, body)
    expect(JSON.stringify({ status, said })).not.toContain('of the input. Send')
    expect([401, 404]).toContain(status)
  })

  test('over A2A, in _meta, also of a call by name', async () => {
    const calls = keyless()
    for (const meta of [{ api_key: 'hush' }, { 'example.com/note': key }]) {
      const [name = ''] = Object.keys(meta)
      const hint = expect.stringContaining(`came as "${name}" in _meta. Send it in the header`)
      for (const call of ['account.get', 'operations.call']) {
        const named = call === 'account.get' ? {} : { name: 'account.get' }
        const { error } = await calls.method(call, { ...named, _meta: meta })
        expect(error).toMatchObject({ code: 'unauthenticated', hint })
      }
    }
  })
})

describe('a key where anyone may call', () => {
  test.each([
    ['operations.search', { q: 'run a task', note: key }, '/note'],
    ['commons.consult.ask', { question: 'How do agents share?', id: key }, '/id'],
  ] as const)('is told by %s that %j is no place for it', async (name, input, pointer) => {
    const calls = callsOf(here.url, undefined)
    const tool = await calls.tool(name.replaceAll('.', '_'), input)
    const method = await calls.method(name, input)
    for (const { error } of [tool, method]) {
      expect(error?.errors).toEqual(fault(pointer))
      expect(`${error?.detail}`).toContain('Authorization: Bearer')
      expect(JSON.stringify(error)).not.toContain(key)
    }
  })

  test('is warned of where it is sent to get one', async () => {
    const { status, body } = await callsOf(here.url, undefined).rest('POST', '/api/agent-claim', {
      api_key: key,
    })
    expect({ status, ...body }).toMatchObject({
      status: 200,
      warnings: [
        {
          code: 'member_ignored',
          pointer: '/api_key',
          message: expect.stringMatching(/It holds a credential: .+Authorization: Bearer/),
        },
      ],
    })
    expect(JSON.stringify(body)).not.toContain(key)
  })

  test('is not taken for one without its form', async () => {
    const { body } = await here.calls.rest('POST', '/api/agent-claim', { api_key: 'ab_hush' })
    expect(body).toMatchObject({ warnings: [{ code: 'member_ignored', pointer: '/api_key' }] })
  })
})
