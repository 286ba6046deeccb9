import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { callsOf } from '#tests/support/served/calls.ts'
import { oneStore } from '#tests/support/stores.ts'
import type { Browser } from './browser.ts'
import { personAt } from './person.ts'
import { agreedIn, begun, exchanged, registered, type Asked } from './program.ts'

const well = '/.well-known/oauth-protected-resource'

describe.each(oneStore())('what a token is for, on $name', (kind) => {
  let server: PlayedServer
  let url = ''
  beforeAll(async () => {
    server = await openServer(kind)
    ;({ url } = server)
  })
  afterAll(() => server.close())

  async function tokenOf(browser: Browser, asked: Asked, change: Record<string, string> = {}) {
    const program = await registered(url)
    const request = await begun(program, asked)
    const back = await agreedIn(browser, request, change)
    return (await exchanged(program, request, back)).access_token
  }

  const call = async (token: string, method: string, path: string, body?: object) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'a2a-version': '1.0',
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }

  test.each([
    ['', ''],
    ['/mcp', '/mcp'],
    ['/mcp/account', '/mcp/account'],
    ['/a2a', '/a2a/'],
    ['/a2a/ada', '/a2a/ada/'],
    ['/api/commons/mcp', '/api/commons/mcp'],
    ['/api/commons/a2a', '/api/commons/a2a/'],
  ])('is described for the door at "%s"', async (path, resource) => {
    const response = await fetch(url + well + path)
    expect(await response.json()).toMatchObject({
      resource: url + resource,
      authorization_servers: [url],
      scopes_supported: ['read', 'write', 'run'],
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each(['/mcp/elsewhere', '/api/characters', '/a2a/one/two', '/../mcp'])(
    'is described for no address at which none is: "%s"',
    async (path) => {
      expect((await fetch(url + well + path)).status).toBe(404)
    },
  )

  test.each([
    '/api/account',
    '/mcp',
    '/mcp/account',
    '/a2a/',
    '/api/commons/mcp',
    '/api/commons/a2a/',
  ])('is named by the challenge of %s', async (path) => {
    const isDoor = !path.startsWith('/api/account')
    const response = await fetch(url + path, {
      method: isDoor ? 'POST' : 'GET',
      headers: { authorization: 'Bearer abt_nothing', 'content-type': 'application/json' },
      ...(isDoor && { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }),
    })
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? []
    expect(challenge).toContain('error="invalid_token"')
    expect(challenge).toContain('scope="read write run"')
    expect((await fetch(metadata)).status).toBe(200)
  })

  test('is one agent, where the person chose one, and ends with it', async () => {
    const browser = await personAt(url)
    const own = await tokenOf(browser, { scope: 'read write' })
    const { body: one } = await call(own, 'POST', '/api/characters/', { name: 'One' })
    const { body: two } = await call(own, 'POST', '/api/characters/', { name: 'Two' })
    const scope = 'read write run admin'
    const token = await tokenOf(browser, { scope }, { scope: one['id'] ?? '' })
    expect((await call(token, 'GET', `/api/characters/${one['id']}`)).status).toBe(200)
    expect((await call(token, 'GET', `/api/characters/${two['id']}`)).status).toBe(403)
    const made = await call(token, 'POST', '/api/characters/', { name: 'Three' })
    expect(made.body['code']).toBe('scope_forbidden')
    const brain = { mcps: [{ name: 'tools', url: 'https://tools.example/mcp' }] }
    const guarded = await call(token, 'PUT', `/api/characters/${one['id']}`, { brain })
    expect(guarded.body['code']).toBe('owner_only')
    expect((await call(own, 'DELETE', `/api/characters/${one['id']}`)).status).toBe(200)
    expect((await call(token, 'GET', '/api/account')).status).toBe(401)
    expect((await call(own, 'GET', '/api/account')).status).toBe(200)
  })

  test('decides what a gate leaves to programs, and nothing that it leaves to persons', async () => {
    const token = await tokenOf(await personAt(url), { scope: 'read write run approve admin' })
    for (const require_person of [false, true]) {
      const approval_gate = { requires_approval: true, require_person }
      const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', approval_gate }
      const agent = { name: 'Gated', heart: { tasks: [task] } }
      const { body: one } = await call(token, 'POST', '/api/characters/', agent)
      const run = await call(token, 'POST', `/api/characters/${one['id']}/tasks/t/run`, {
        wait_seconds: 20,
      })
      const id = run.body['approval_id'] ?? ''
      expect(run.body['trigger']).toMatchObject({ caller: { connection_id: expect.any(String) } })
      const decision = { decision: 'approve' }
      const decided = await call(token, 'POST', `/api/approvals/${id}/decision`, decision)
      if (require_person) {
        expect([decided.status, decided.body['code']]).toEqual([403, 'person_needed'])
      } else {
        expect(JSON.stringify(decided.body)).toContain('"kind":"host"')
      }
    }
  })

  test('is a new account, where the person opened one', async () => {
    const browser = await personAt(url)
    const token = await tokenOf(browser, {}, { account: 'new' })
    const own = await tokenOf(browser, {})
    const [made, theirs] = await Promise.all([
      call(token, 'GET', '/api/account'),
      call(own, 'GET', '/api/account'),
    ])
    expect([made.status, theirs.status]).toEqual([200, 200])
    expect(made.body['id']).not.toBe(theirs.body['id'])
  })

  test('is a door of a hosted agent, and no other', async () => {
    const browser = await personAt(url)
    const own = await tokenOf(browser, { scope: 'read write admin' })
    const character = {
      name: 'Talker',
      heart: { tasks: [{ task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi {{input}}' }] },
    }
    const { body: agent } = await call(own, 'POST', '/api/characters/', character)
    const resource = `${url}/a2a/${agent['id']}/`
    const token = await tokenOf(browser, { resource, scope: 'run' })
    const message = {
      messageId: 'm-1',
      role: 'ROLE_USER',
      parts: [{ text: 'there' }],
    }
    const request = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }
    const told = await call(token, 'POST', `/a2a/${agent['id']}/`, request)
    expect(JSON.stringify(told.body)).toContain('Hi there')
    expect((await call(token, 'POST', '/a2a/other/', request)).status).toBe(401)
    expect((await call(token, 'POST', '/a2a/', request)).status).toBe(401)
    expect((await call(token, 'GET', '/api/account')).status).toBe(401)
  })

  test('is asked for again where MCP and A2A lack a scope', async () => {
    const browser = await personAt(url)
    const account = await tokenOf(browser, { resource: `${url}/mcp/account`, scope: 'read' })
    const { post } = callsOf(url, account)
    const name = 'characters_create'
    const params = { name, arguments: { character: { name: 'Ada' } } }
    const tool = await post(
      '/mcp/account',
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
    )
    expect(tool.response.status).toBe(403)
    expect(tool.body).toMatchObject({ id: 7, error: { data: { code: 'insufficient_scope' } } })
    expect(tool.response.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope", scope="read write".+oauth-protected-resource\/mcp\/account"/,
    )
    const door = await tokenOf(browser, { resource: `${url}/a2a/`, scope: 'read' })
    const method = {
      jsonrpc: '2.0',
      id: 8,
      method: 'characters.create',
      params: { character: { name: 'Ada' } },
    }
    const answer = await callsOf(url, door).post('/a2a/', method)
    expect(answer.response.status).toBe(403)
    expect(answer.response.headers.get('www-authenticate')).toMatch(/scope="read write"/)
  })
})
