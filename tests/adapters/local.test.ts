import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLoopback } from '#adapters/http/address.ts'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from './serve.ts'

const evil = 'https://evil.example'

/** A request as it stands on the wire, since a client of HTTP sets Host and Origin itself. */
interface Sent {
  method?: string
  host?: string
  headers?: Record<string, string>
  body?: string
}

interface Answered {
  status: number
  head: string
  text: string
}

async function send(server: Serving, path: string, sent: Sent = {}): Promise<Answered> {
  const { method = 'GET', host = `127.0.0.1:${server.port}`, headers = {}, body = '' } = sent
  const all = { Host: host, 'Content-Length': String(body.length), Connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await server.raw(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') }
}

const isOpenToPages = ({ head }: Answered): boolean =>
  /^access-control-allow-origin: \*\r?$/im.test(head)

let server: Serving
let key: string
beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off' }, catalog)
  const claim = await send(server, '/api/agent-claim', { method: 'POST' })
  key = (JSON.parse(claim.text) as { api_key: string }).api_key
})
afterAll(() => server[Symbol.asyncDispose]())

const accounts = () => server.abode.ports.store.accounts.count({})
const bearer = () => ({ Authorization: `Bearer ${key}` })

describe('a server of its own machine, under a name that was pointed there', () => {
  it.each([
    'evil.example',
    'evil.example:80',
    'rebound.evil.example:8080',
    '127.0.0.1.evil.example',
  ])('gives nothing to a page at %s', async (host) => {
    const before = await accounts()
    for (const [path, method] of [
      ['/health', 'GET'],
      ['/api/agent-claim', 'POST'],
      ['/api/characters/', 'GET'],
      ['/openapi.agent.json', 'GET'],
      ['/settings', 'GET'],
      ['/api/agent-claim', 'OPTIONS'],
      ['/nowhere', 'GET'],
    ] as const) {
      const headers = { Origin: `http://${host}`, ...bearer() }
      const answer = await send(server, path, { method, host, headers })
      expect([path, answer.status]).toEqual([path, 403])
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'host_mismatch',
        hint: expect.stringContaining('PUBLIC_URL') as string,
      })
    }
    expect(await accounts()).toBe(before)
  })

  it('says so to people by a page, and in the envelope of the Commons', async () => {
    const host = 'evil.example'
    const page = await send(server, '/sign-in', { host, headers: { Accept: 'text/html' } })
    expect([page.status, page.head]).toEqual([403, expect.stringContaining('text/html')])
    const commons = await send(server, '/api/commons/boards', { host })
    expect(JSON.parse(commons.text)).toMatchObject({ ok: false, error: { code: 'host_mismatch' } })
    const door = await send(server, '/mcp', { method: 'POST', host, body: '{}' })
    expect([door.status, door.text]).toEqual([403, expect.stringContaining('jsonrpc')])
  })

  it.each(['127.0.0.1', 'localhost:9', '[::1]:8080', 'abode.localhost', '127.8.8.8', 'abode:8080'])(
    'is itself as %s',
    async (host) => expect((await send(server, '/health', { host })).status).toBe(200),
  )
})

/** One address of each door, with a body where it reads one. */
const everyDoor = [
  'GET /api/public/agents',
  'GET /api/commons/boards',
  'POST /api/agent-claim',
  'OPTIONS /api/agent-claim',
  'GET /openapi.agent.json',
  'GET /sign-in',
  'GET /nowhere',
  'POST /mcp',
  'POST /a2a',
  'POST /a2a/nothing',
  'POST /api/commons/mcp',
  'GET /a2a/.well-known/agent-card.json',
  'POST /sign-in',
]

describe('a server of its own machine, called with another number of hosts than one', () => {
  const own = () => `Host: 127.0.0.1:${server.port}`
  const asked = async (door: string, version: string, hosts: readonly string[]) => {
    const lines = [...hosts, 'Content-Type: application/json', 'Content-Length: 2']
    const head = [`${door} HTTP/${version}`, ...lines, 'Connection: close', '', '{}'].join('\r\n')
    const answer = await server.raw(head)
    return { status: Number(answer.split(' ')[1]), text: answer }
  }

  it.each(everyDoor)('refuses several at %s', async (door) => {
    const before = await accounts()
    for (const version of ['1.1', '1.0']) {
      for (const hosts of [
        [own(), 'Host: evil.example'],
        ['Host: evil.example', own()],
        [own(), own().toLowerCase()],
      ]) {
        const { status, text } = await asked(door, version, hosts)
        expect([version, hosts, status]).toEqual([version, hosts, 400])
        expect(text).toContain('one Host header')
      }
    }
    expect(await accounts()).toBe(before)
  })

  it.each(everyDoor)('refuses none at %s', async (door) => {
    const before = await accounts()
    expect((await asked(door, '1.1', [])).status).toBe(400)
    const old = await asked(door, '1.0', [])
    expect(old.status).toBe(403)
    expect(await accounts()).toBe(before)
  })

  it('answers clients of HTTP/1.0 that name it', async () => {
    expect((await asked('GET /api/public/agents', '1.0', [own()])).status).toBe(200)
    expect((await asked('GET /sign-in', '1.0', [own()])).status).toBe(200)
  })

  it('answers health checks of HTTP/1.0 that name none, and none of several', async () => {
    for (const probe of ['GET /health', 'HEAD /health', 'GET /health/']) {
      expect([probe, (await asked(probe, '1.0', [])).status]).toEqual([probe, 200])
    }
    expect((await asked('GET /health', '1.1', [])).status).toBe(400)
    expect((await asked('GET /health', '1.0', [own(), own()])).status).toBe(400)
  })
})

describe('a page of others', () => {
  const simple: [string, Sent][] = [
    ['with no body', {}],
    ['as text', { headers: { 'Content-Type': 'text/plain' }, body: '{"name":"x"}' }],
    [
      'as a form',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'name=x' },
    ],
    [
      'as a form with files',
      {
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n',
      },
    ],
    ['as JSON', { headers: { 'Content-Type': 'application/json' }, body: '{}' }],
  ]

  it.each(simple)('gets no key by a request %s', async (_, { headers = {}, body = '' }) => {
    const before = await accounts()
    const foreign: Record<string, string>[] = [
      { Origin: evil },
      { Origin: 'null' },
      { Origin: 'http://192.168.0.7' },
      { Origin: `http://127.0.0.1.evil.example:${server.port}` },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const from of foreign) {
      const sent = { method: 'POST', headers: { ...headers, ...from }, body }
      const answer = await send(server, '/api/agent-claim', sent)
      expect([from, answer.status]).toEqual([from, 403])
      expect(JSON.parse(answer.text)).toMatchObject({
        code: 'origin_mismatch',
        hint: expect.stringContaining(server.url) as string,
      })
    }
    expect(await accounts()).toBe(before)
  })

  it('uses no key and no session that it has got hold of', async () => {
    for (const credential of [bearer(), { Cookie: 'abode_session=abs_x' }]) {
      const headers = { Origin: evil, ...credential }
      expect((await send(server, '/api/characters/', { headers })).status).toBe(403)
      expect((await send(server, '/health', { headers })).status).toBe(403)
    }
    const body = JSON.stringify({ id: 'ada', name: 'Ada' })
    const headers = { Origin: evil, 'Content-Type': 'application/json', ...bearer() }
    const made = await send(server, '/api/characters/', { method: 'POST', headers, body })
    expect(made.status).toBe(403)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const changed = await send(server, '/api/characters/ada', { method, headers })
      expect([method, changed.status]).toEqual([method, 403])
    }
  })

  it('reads what is open to all, as before', async () => {
    for (const path of ['/health', '/api/public/agents', '/api/commons/boards', '/skill.md']) {
      const read = await send(server, path, { headers: { Origin: evil } })
      expect([path, read.status, isOpenToPages(read)]).toEqual([path, 200, true])
    }
    const headers = { Origin: evil, 'Access-Control-Request-Method': 'POST' }
    const asked = await send(server, '/api/agent-claim', { method: 'OPTIONS', headers })
    expect(asked.status).toBe(204)
  })

  it('follows a link to a page for people, also with the cookie of a session', async () => {
    const headers = { Cookie: 'abode_session=abs_x', 'Sec-Fetch-Site': 'cross-site' }
    expect((await send(server, '/sign-in', { headers })).status).toBe(200)
  })
})

describe('a caller that is not a foreign page', () => {
  it.each([
    ['sends no Origin', {}],
    ['is a page of this machine', { Origin: 'http://localhost:5173' }],
    ['is a page of this machine by its number', { Origin: 'http://127.0.0.1:3000' }],
    ['says that it is the same site', { 'Sec-Fetch-Site': 'same-origin' }],
  ])('may call any operation: %s', async (_, from) => {
    const headers = { ...from, ...bearer() }
    expect((await send(server, '/api/characters/', { headers })).status).toBe(200)
    const claim = { method: 'POST', headers: from }
    expect((await send(server, '/api/agent-claim', claim)).status).toBe(200)
  })
})

describe('a server behind a proxy on its machine', () => {
  let behind: Serving
  beforeAll(async () => {
    const env = { ABODE_RATE_LIMITS: 'off', PUBLIC_URL: 'https://abode.example' }
    behind = await serving(env, catalog)
  })
  afterAll(() => behind[Symbol.asyncDispose]())
  const claim = (host: string | undefined, origin: string | undefined) => {
    const headers: Record<string, string> = origin === undefined ? {} : { Origin: origin }
    const sent = { method: 'POST', headers, ...(host !== undefined && { host }) }
    return send(behind, '/api/agent-claim', sent).then(({ status }) => status)
  }

  it('is reached by its public name, from any page, as every public server is', async () => {
    for (const origin of [undefined, 'https://abode.example', evil]) {
      expect([origin, await claim('abode.example', origin)]).toEqual([origin, 200])
    }
    expect(await claim('abode.example:443', evil)).toBe(200)
  })

  it('is reached by its own address, where the proxy passes on no name, from its own pages', async () => {
    expect(await claim(undefined, undefined)).toBe(200)
    expect(await claim(undefined, 'https://abode.example')).toBe(200)
    expect(await claim(undefined, evil)).toBe(403)
  })

  it('is nothing under another name', async () => {
    expect(await claim('evil.example', undefined)).toBe(403)
    expect(await claim('abode.example.evil.example', evil)).toBe(403)
  })
})

it('checks no host name and no origin while it listens beyond this machine', async () => {
  await using open = await serving({ ABODE_RATE_LIMITS: 'off', HOST: '0.0.0.0' }, catalog)
  const sent = { method: 'POST', host: 'abode.lan.example', headers: { Origin: evil } }
  expect((await send(open, '/api/agent-claim', sent)).status).toBe(200)
  const old = await open.raw('GET /api/public/agents HTTP/1.0\r\n\r\n')
  expect(old).toContain('200 OK')
  const several = 'Host: abode.lan.example\r\nHost: evil.example\r\nConnection: close'
  expect(await open.raw(`GET /api/public/agents HTTP/1.1\r\n${several}\r\n\r\n`)).toContain(
    '400 Bad Request',
  )
})

it.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:7f00:1', true],
  ['0:0:0:0:0:0:0:1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.127', false],
  ['127.1', false],
  ['127.example', false],
  ['', false],
])('listens for its own machine alone on %s: %s', (address, isLocal) => {
  expect(isLoopback(address)).toBe(isLocal)
})
