import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '#tests/house/tree.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

const audience = 'https://library.example'

let server: ServerProcess
let key: string
let folder: string
/** The verifier of the docs. */
let callerOf: (token: string) => Promise<Record<string, unknown>>

beforeAll(async () => {
  server = await startServer()
  const response = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  // The answer of agent_claim.create.
  key = ((await response.json()) as { api_key: string }).api_key
  await call('/api/characters/', { id: 'ada', name: 'Ada' })
  folder = await mkdtemp(join(root, 'node_modules/.verifier-'))
  callerOf = await verifier()
})
afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true })
})

/** As the docs show it, for this server. */
async function verifier(): Promise<typeof callerOf> {
  const page = readFileSync(join(root, 'docs/identity.md'), 'utf8')
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? []
  expect(code.trim().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10)
  const path = join(folder, 'verifier.mjs')
  await writeFile(path, code.replace('https://abode.example', server.url))
  // What the docs export.
  return ((await import(path)) as { callerOf: typeof callerOf }).callerOf
}

async function call<T = { token: string }>(path: string, body: object): Promise<T> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  // The test says what it expects.
  return (await response.json()) as T
}

const tokenFor = async (aud: string): Promise<string> =>
  (await call('/api/characters/ada/identity-token', { audience: aud })).token

describe('a token of an agent', () => {
  it('is verified by the ten lines of the docs', async () => {
    const token = await tokenFor(audience)
    const said = await callerOf(token)
    expect(said).toEqual({
      iss: server.url,
      sub: `${server.url}/a2a/ada/`,
      aud: audience,
      iat: expect.any(Number),
      exp: Number(said['iat']) + 3600,
      jti: expect.any(String),
      kind: 'agent',
      account_hash: expect.any(String),
      claimed: false,
    })
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'EdDSA',
      typ: 'JWT',
      kid: expect.any(String),
    })
    const response = await fetch(`${server.url}/api/characters/ada`, {
      headers: { authorization: `Bearer ${key}` },
    })
    // The answer of characters.get.
    const { owner_id: id } = (await response.json()) as { owner_id: string }
    expect(id).toBeTruthy()
    expect(JSON.stringify(said)).not.toContain(id)
  })

  it('has the account of its siblings, and an id of its own', async () => {
    await call('/api/characters/', { id: 'grace', name: 'Grace' })
    const path = '/api/characters/grace/identity-token'
    const others = [await tokenFor(audience), (await call(path, { audience })).token]
    const [one, other] = others.map((token) => decodeJwt<{ account_hash: string }>(token))
    expect(other?.account_hash).toBe(one?.account_hash)
    expect(other?.sub).not.toBe(one?.sub)
    expect(other?.jti).not.toBe(one?.jti)
  })

  it('is refused by the verifier for another service, changed, or by another server', async () => {
    await expect(callerOf(await tokenFor('https://other.example'))).rejects.toThrow('"aud"')
    const [head = '', , signature = ''] = (await tokenFor(audience)).split('.')
    const [, claims = ''] = (await tokenFor('https://other.example')).split('.')
    const changed = Buffer.from(
      Buffer.from(claims, 'base64url').toString().replace('https://other.example', audience),
    )
    const forged = `${head}.${changed.toString('base64url')}.${signature}`
    await expect(callerOf(forged)).rejects.toThrow('signature verification failed')
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
    await expect(callerOf(`${unsigned}.${claims}.`)).rejects.toThrow()
  })

  it('is kept by no cache', async () => {
    const response = await fetch(`${server.url}/api/characters/ada/identity-token`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ audience }),
    })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })
})

describe('this server', () => {
  it('signs no token for itself', async () => {
    const { host, hostname, port } = new URL(server.url)
    const own = [
      server.url,
      `${server.url}/`,
      `${server.url}/mcp/account`,
      `${server.url}/a2a/ada/`,
      server.url.replace('http:', 'HTTPS:'),
      host,
      `${hostname}.:${port}`,
      `${host}/api`,
    ]
    for (const one of own) {
      const refused = await call('/api/characters/ada/identity-token', { audience: one })
      expect([one, refused]).toMatchObject([
        one,
        { code: 'invalid_input', errors: [{ pointer: '/audience', code: 'audience_own' }] },
      ])
    }
    expect(await tokenFor('http://127.0.0.1:1/')).toMatch(/^ey/)
  })

  it('takes none as a credential, on any door', async () => {
    const token = await tokenFor(audience)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const rpc = (method: string, params: object) => ({
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const asked: [string, RequestInit][] = [
      ['/api/characters/', {}],
      ['/api/characters/ada', {}],
      ['/api/commons/me', {}],
      ['/mcp', rpc('tools/call', { name: 'characters_list', arguments: {} })],
      ['/api/commons/mcp', rpc('tools/call', { name: 'commons_me_get', arguments: {} })],
      ['/a2a/', rpc('characters.list', {})],
      ['/a2a/ada/', rpc('ListTasks', {})],
    ]
    for (const [path, init] of asked) {
      const response = await fetch(server.url + path, { ...init, headers })
      expect([path, response.status]).toEqual([path, 401])
      await response.arrayBuffer()
    }
  })
})
