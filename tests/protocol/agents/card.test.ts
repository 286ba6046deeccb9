import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { serviceKey } from '#src/core/admission/service-key.ts'
import type { Store } from '#src/ports/store.ts'
import { textIn, type Shown } from '#tests/protocol/a2a-harness.ts'
import { stores } from '#tests/support/stores.ts'
import { echo, openAgents, publicUrl, talker, think, type AgentsWorld } from './harness.ts'

let agents: AgentsWorld
let store: Store
let owner: string
let stranger: string

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  agents = openAgents(store)
  owner = (await agents.account()).key
  stranger = (await agents.account()).key
  const hidden = { ...think, public: false, triggers: [{ type: 'message', config: {} }] }
  const described = { ...echo, description: 'Says it again.', tags: ['talk'] }
  for (const character of [
    { ...talker('ada', [described, hidden]), name: 'Ada', tagline: 'Mine alone' },
    talker('eve', [echo], 'friends'),
    { ...talker('zoe', [echo]), visibility: { profile_visibility: 'private' } },
  ]) {
    await agents.ask('characters.create', { character }, owner)
  }
})
afterAll(async () => {
  await agents.doors.close()
  await store.close()
})

/** Checks the signatures as the official client does, with the published keys. */
async function verify(card: unknown): Promise<void> {
  const { keys } = serviceKey(agents.ports.sealer).keySet
  const check = verifyAgentCardSignature((kid) => {
    const key = keys.find((jwk) => jwk['kid'] === kid)
    return key ? Promise.resolve(key) : Promise.reject(new Error(`no key ${kid}`))
  })
  // What the SDK says of a signature that does not hold is for its users.
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  await check(AgentCard.fromJSON(card))
}

const ids = (card: Shown | undefined): unknown[] =>
  [...(card?.['skills'] ?? [])].map(({ id }) => id)

const list = ['read', 'run']
/** The ways to prove who one is, and what a conversation needs. */
const asking = [
  { schemes: { bearer: {} } },
  ...['oauth2', 'device', 'openId'].map((name) => ({ schemes: { [name]: { list } } })),
]

test('the card says who the agent is, where it is reached and what it does', async () => {
  const card = await agents.card('ada')
  expect(card).toMatchObject({
    name: 'Ada',
    description: 'Ada is an agent that accepts messages.',
    version: '1',
    supportedInterfaces: [
      { url: `${publicUrl}/a2a/ada/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${publicUrl}/a2a/ada/`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    provider: { organization: 'Abode', url: publicUrl },
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    skills: [
      {
        id: 'echo',
        name: 'Echo',
        description: 'Says it again.',
        tags: ['task', 'talk'],
        examples: ['{"task_id":"echo"}'],
      },
    ],
  })
  expect(card['securityRequirements']).toEqual([...asking, {}])
  const code = card['securitySchemes']?.['oauth2']?.['oauth2SecurityScheme']?.['flows']
  expect(code).toMatchObject({
    authorizationCode: {
      authorizationUrl: `${publicUrl}/oauth/authorize?resource=${publicUrl}/a2a/ada/`,
      scopes: { read: 'See', run: 'Run and speak' },
    },
  })
  expect(Object.keys(code?.['authorizationCode']?.['scopes'] ?? {})).toEqual(['read', 'run'])
  await verify(card)
  const forged: object = Object.assign({}, card, { name: 'Mallory' })
  await expect(verify(forged)).rejects.toThrow()
})

test('one that not everybody may speak to asks for a credential', async () => {
  const card = await agents.card('eve')
  expect(card['securityRequirements']).toEqual(asking)
  await verify(card)
  const legacy = await agents.card('eve', { version: '' })
  const scopes = ['read', 'run']
  expect(legacy).toMatchObject({
    security: [{ bearer: [] }, { oauth2: scopes }, { openId: scopes }],
  })
  await verify(legacy)
})

test('asked for without a version it serves clients of 0.3 too', async () => {
  const card = await agents.card('ada', { version: '' })
  expect(card).toMatchObject({
    url: `${publicUrl}/a2a/ada/`,
    protocolVersion: '0.3',
    preferredTransport: 'JSONRPC',
    supportsAuthenticatedExtendedCard: true,
  })
})

test('one that is private is shown to its account, and is not there for others', async () => {
  expect(await agents.card('zoe', { key: owner })).toMatchObject({ name: 'zoe' })
  for (const key of [stranger, undefined]) {
    const asked = agents.card('zoe', key === undefined ? {} : { key })
    await expect(asked).rejects.toMatchObject({ code: 'character_not_found' })
  }
  await expect(agents.card('absent')).rejects.toMatchObject({ code: 'character_not_found' })
})

test('its tag and time stay until the agent or a task of it changes', async () => {
  const asked = { credential: undefined, version: '1.0', address: '192.0.2.0', requestId: 'r' }
  const first = await agents.doors.card('eve', asked)
  expect(await agents.doors.card('eve', asked)).toEqual(first)
  expect(first.isPrivate).toBe(false)
  const change = { char_id: 'eve', task_id: 'echo', task: { name: 'Parrot' } }
  await agents.ask('tasks.update', change, owner)
  const second = await agents.doors.card('eve', asked)
  expect(second.etag).not.toBe(first.etag)
  expect(JSON.parse(second.text)).toMatchObject({ version: '2', skills: [{ name: 'Parrot' }] })
  // An agent with the same id in another account has a card of its own.
  await agents.ask('characters.delete', { char_id: 'eve' }, owner)
  const character = { ...talker('eve', [echo]), name: 'Another' }
  await agents.ask('characters.create', { character }, stranger)
  expect(JSON.parse((await agents.doors.card('eve', asked)).text)).toMatchObject({
    name: 'Another',
  })
})

test('the whole card is for those who may speak to the agent, and more of it for its account', async () => {
  const whole = async (agent: string, key?: string) =>
    agents.rpc(agent, 'GetExtendedAgentCard', {}, key === undefined ? {} : { key })
  const forAll = (await whole('ada')).result
  expect(ids(forAll)).toEqual(['echo', 'think'])
  expect(textIn(forAll?.['description'])).not.toContain('Mine alone')
  const forOwner = (await whole('ada', owner)).result
  expect(ids(forOwner)).toEqual(['echo', 'think'])
  expect(forOwner).toMatchObject({ description: 'Mine alone' })
  await verify(forAll)
  await verify(forOwner)
  expect((await whole('zoe', stranger)).error).toMatchObject({ code: 404 })
  expect(ids((await whole('zoe', owner)).result)).toEqual(['echo'])
})
