import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { flattenedVerify, importJWK } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { catalog as wholeCatalog } from '#src/catalog.ts'
import { changesNothing, offered } from '#src/core/operation-facts.ts'
import { sealer } from '#src/core/seal.ts'
import { skillGroupsOf } from '#src/documents/groups.ts'
import { stores } from '#tests/support/stores.ts'
import { openA2a, textIn, type A2aWorld, type Shown } from './a2a-harness.ts'

/** What the doors of agents offer of it. */
const catalog = offered(wholeCatalog)

let a2a: A2aWorld
let text: string
let card: Shown

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  a2a = openA2a(await kind.open())
  text = (await a2a.door.card('1.0')).text
  // The test says what it expects of it.
  card = JSON.parse(text) as Shown
})
afterAll(() => a2a.ports.store.close())

/** Checks the signatures as the official client does, with the published keys. */
async function verify(signed: unknown, keys = a2a.door.keySet().keys): Promise<void> {
  const check = verifyAgentCardSignature((kid) => {
    const key = keys.find((jwk) => jwk['kid'] === kid)
    return key ? Promise.resolve(key) : Promise.reject(new Error(`no key ${kid}`))
  })
  // What the SDK says of a signature that does not hold is for its users.
  vi.spyOn(console, 'debug').mockImplementation(() => undefined)
  await check(AgentCard.fromJSON(signed))
}

test('the card has the form of 1.0, with both versions at one address', () => {
  expect(card).toMatchObject({
    name: 'Abode',
    version: '1.2.3',
    provider: { organization: 'Abode', url: 'http://127.0.0.1:8080' },
    documentationUrl: 'http://127.0.0.1:8080/skill.md?door=a2a',
    supportedInterfaces: [
      { url: 'http://127.0.0.1:8080/a2a/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: 'http://127.0.0.1:8080/a2a/', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    // Without the first alternative, clients send no key; without the second, newcomers do not call.
    securityRequirements: [{ schemes: { bearer: {} } }, {}],
    defaultInputModes: ['application/json', 'text/plain'],
    defaultOutputModes: ['application/json', 'text/plain'],
  })
  for (const member of ['url', 'preferredTransport', 'protocolVersion']) {
    expect(card).not.toHaveProperty(member)
  }
})

test('its extension names every operation, and the other card', () => {
  const [extension] = card['capabilities']?.['extensions'] ?? []
  expect(extension).toMatchObject({
    uri: 'http://127.0.0.1:8080/ext/operations/v1',
    params: {
      openapi: 'http://127.0.0.1:8080/openapi.agent.json',
      cards: { commons: 'http://127.0.0.1:8080/.well-known/agent-card.json' },
    },
  })
  // Not required, which JSON of a protobuf message leaves out.
  expect(extension?.['required'] ?? false).toBe(false)
  expect(extension?.['params']?.['methods']).toEqual(catalog.map(({ name }) => name))
})

test.each(['1.0', '0.3'])('in the form of %s it is read at once', async (version) => {
  const place = 'http://127.0.0.1:8080'
  const longer = 'https://agents.somewhere.example.org'
  const whole = (await a2a.door.card(version)).text.replaceAll(place, longer)
  expect(Buffer.byteLength(whole)).toBeLessThan(8_000)
})

test('the extended one describes every operation, for everyone, and is signed', async () => {
  for (const ask of [
    () => a2a.rpc1('GetExtendedAgentCard'),
    () => a2a.rpc('agent/getAuthenticatedExtendedCard'),
  ]) {
    const { result } = await ask()
    const [extension] = result?.['capabilities']?.['extensions'] ?? []
    expect(extension?.['params']?.['operations']).toEqual(
      catalog.map((op) => ({
        name: op.name,
        description: op.summary,
        readOnly: changesNothing(op),
        ...(op.auth === 'commons' && { trust: op.trust ?? 0 }),
      })),
    )
  }
  const { result } = await a2a.rpc1('GetExtendedAgentCard')
  expect(result).toMatchObject({ name: 'Abode', skills: card['skills'] })
  await verify(result)
})

test('its skills are groups with their purpose, and one example that can be sent', () => {
  const skills = [...(card['skills'] ?? [])]
  const groups = skillGroupsOf(catalog)
  expect(skills.map(({ id }) => id)).toEqual(groups.map(({ slug }) => slug))
  expect(groups.flatMap(({ operations }) => operations)).toHaveLength(catalog.length)
  for (const skill of skills) {
    const examples = [...(skill['examples'] ?? [])]
    expect(examples).toHaveLength(1)
    const { operation, params } = JSON.parse(textIn(examples[0])) as Record<string, unknown>
    const op = catalog.find(({ name }) => name === operation)
    expect(op?.input.safeParse(params).success, op?.name).toBe(true)
  }
})

test('its signature holds with the published key, and with no other content', async () => {
  await verify(JSON.parse(text))
  const forged = { ...(JSON.parse(text) as object), name: 'Mallory' }
  await expect(verify(forged)).rejects.toThrow()
  await expect(verify(JSON.parse(text), [])).rejects.toThrow()
})

test.each(['1.0', '0.3'])(
  'its first signature is over all that is sent in %s, as RFC 8785 writes it',
  async (version) => {
    const sent = (await a2a.door.card(version)).text
    const { signatures, ...rest } = JSON.parse(sent) as { signatures: Signature[] }
    const [first] = signatures
    if (!first) throw new Error('the card is not signed')
    const key = await importJWK({ ...a2a.door.keySet().keys[0] }, 'EdDSA')
    const payload = Buffer.from(canonical(rest)).toString('base64url')
    const { protectedHeader } = await flattenedVerify({ ...first, payload }, key)
    const moved = Buffer.from(canonical({ ...rest, url: 'https://elsewhere.example' }))
    const forged = { ...first, payload: moved.toString('base64url') }
    await expect(flattenedVerify(forged, key)).rejects.toThrow()
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      kid: a2a.door.keySet().keys[0]?.['kid'],
      typ: 'JOSE',
      jku: 'http://127.0.0.1:8080/.well-known/jwks.json',
    })
  },
)

interface Signature {
  protected: string
  signature: string
}

/** Members in order, no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

test('the key set holds no private key, and stays the same with the master key', async () => {
  const [jwk] = a2a.door.keySet().keys
  expect(Object.keys(jwk ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  const same = openA2a(a2a.ports.store).door
  expect(same.keySet()).toEqual(a2a.door.keySet())
  expect((await same.card('1.0')).text).toBe(text)
  const other = openA2a(a2a.ports.store, { sealer: sealer(Buffer.alloc(32, 8)) }).door
  expect(other.keySet()).not.toEqual(a2a.door.keySet())
})

test.each([undefined, '', '0.3'])(
  'asked for with version "%s" it serves clients of 0.3 too',
  async (version) => {
    const legacy = await a2a.door.card(version)
    const shown = JSON.parse(legacy.text) as Shown
    expect(shown).toMatchObject({
      url: 'http://127.0.0.1:8080/a2a/',
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3',
      supportsAuthenticatedExtendedCard: true,
      supportedInterfaces: card['supportedInterfaces'],
      security: [{ bearer: [] }, {}],
      securitySchemes: {
        bearer: { type: 'http', scheme: 'Bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } },
      },
      skills: card['skills'],
    })
    await verify(shown)
    expect(legacy.etag).not.toBe((await a2a.door.card('1.0')).etag)
  },
)

test('caches are told what they need', async () => {
  const { etag, lastModified } = await a2a.door.card('1.0')
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(new Date(lastModified).toUTCString()).toBe(lastModified)
})

test('a door with some operations only shows only those', async () => {
  const operations = catalog.filter((op) => op.name.startsWith('health.'))
  const narrow = openA2a(a2a.ports.store, { operations })
  const shown = JSON.parse((await narrow.door.card('1.0')).text) as Shown
  expect([...(shown['skills'] ?? [])].map(({ id }) => id)).toEqual(['service'])
  expect((await narrow.rpc('health.get')).result).toEqual({ status: 'ok' })
  expect((await narrow.rpc('limits.get')).error?.code).toBe(-32601)
})
