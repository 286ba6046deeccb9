import { expect, test } from 'vitest'
import { newToken } from '#src/core/ids.ts'
import { manifest } from '#tests/support/served/calls.ts'
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
