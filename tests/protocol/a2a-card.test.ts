import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client'
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
    // Without the first alternatives, clients send no credential; without the last, newcomers do not call.
    securityRequirements: [
      { schemes: { bearer: {} } },
      { schemes: { oauth2: {} } },
      { schemes: { device: {} } },
      { schemes: { openId: {} } },
      {},
    ],
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
  const methods = Object.entries(extension?.['params']?.['methods'] ?? {})
  expect(
    methods.flatMap(([first, rest]) =>
      textIn(rest)
        .split(' ')
        .map((one) => `${first}.${one}`),
    ),
  ).toEqual(catalog.map(({ name }) => name))
})

test.each(['1.0', '0.3'])('in the form of %s it is read at once', async (version) => {
  const place = 'http://127.0.0.1:8080'
  const longer = 'https://agents.somewhere.example.org'
  const whole = (await a2a.door.card(version)).text.replaceAll(place, longer)
  expect(Buffer.byteLength(whole)).toBeLessThan(8_200)
})

test('programs that sign a person in read where, and for which resource', () => {
  const url = 'http://127.0.0.1:8080'
  const scopes = {
    read: 'See',
    write: 'Change',
    run: 'Run and speak',
    approve: 'Decide',
    spend: 'Pay',
    admin: 'Keys and rules',
  }
  const oauth2MetadataUrl = `${url}/.well-known/oauth-authorization-server`
  const tokenUrl = `${url}/oauth/token`
  expect(card['securitySchemes']).toMatchObject({
    oauth2: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: `${url}/oauth/authorize?resource=${url}/a2a/`,
            tokenUrl,
            scopes,
            pkceRequired: true,
          },
        },
        oauth2MetadataUrl,
      },
    },
    device: {
      oauth2SecurityScheme: {
        flows: {
          deviceCode: {
            deviceAuthorizationUrl: `${url}/oauth/device-authorization?resource=${url}/a2a/`,
            tokenUrl,
            scopes,
          },
        },
        oauth2MetadataUrl,
      },
    },
    openId: {
      openIdConnectSecurityScheme: { openIdConnectUrl: `${url}/.well-known/openid-configuration` },
    },
  })
})

test.each(['1.0', '0.3'])(
  'the official client reads the schemes of the form of %s',
  async (version) => {
    const sent = JSON.parse((await a2a.door.card(version)).text) as Shown
    const { securitySchemes, securityRequirements } = AgentCard.fromJSON(sent)
    const { oauth2, openId, device } = securitySchemes
    expect(oauth2?.scheme).toMatchObject({
      $case: 'oauth2SecurityScheme',
      value: { flows: { flow: { $case: 'authorizationCode', value: { pkceRequired: true } } } },
    })
    expect(openId?.scheme?.$case).toBe('openIdConnectSecurityScheme')
    // 0.3 has no such flow.
    expect(device !== undefined).toBe(version === '1.0')
    const named = securityRequirements.flatMap(({ schemes }) => Object.keys(schemes))
    expect(named).toEqual(Object.keys(securitySchemes))
  },
)

test('the official client of 0.3 reads the same', async () => {
  const whole = JSON.parse((await a2a.door.card('0.3')).text) as Record<string, unknown>
  const { supportedInterfaces: _new, securityRequirements: __new, ...old } = whole
  const fetchImpl = () => Promise.resolve(Response.json(old))
  const resolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat: { enabled: true } })
  const read = await resolver.resolve('http://127.0.0.1:8080/a2a/')
  expect(read.securitySchemes['oauth2']?.scheme).toMatchObject({
    value: {
      flows: {
        flow: {
          $case: 'authorizationCode',
          value: { tokenUrl: 'http://127.0.0.1:8080/oauth/token', scopes: { read: 'See' } },
        },
      },
    },
  })
  expect(read.securitySchemes['openId']?.scheme).toMatchObject({
    value: { openIdConnectUrl: 'http://127.0.0.1:8080/.well-known/openid-configuration' },
  })
  expect(read.securityRequirements).toHaveLength(4)
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
      security: [{ bearer: [] }, { oauth2: [] }, { openId: [] }, {}],
      securitySchemes: {
        bearer: { type: 'http', scheme: 'Bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } },
        oauth2: { type: 'oauth2', flows: { authorizationCode: {} }, oauth2SecurityScheme: {} },
        openId: { type: 'openIdConnect', openIdConnectSecurityScheme: {} },
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
