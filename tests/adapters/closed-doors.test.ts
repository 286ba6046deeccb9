import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { withSignUp } from '#src/core/admission/sign-up.ts'
import { withoutCommons } from '#src/core/commons/absence.ts'
import { guideNames } from '#src/documents/guides/guides.ts'
import { sending, serving, type Serving } from './serve.ts'

const contact = 'ops@example.org'
const signUps = {
  invited: { mode: 'invited', contact },
  closed: { mode: 'closed', contact },
} as const

/** What is published to be read, and where a newcomer begins. */
const firstRead = [
  '/skill.md',
  '/auth.md',
  '/llms.txt',
  '/llms-full.txt',
  '/guides.md',
  '/guides/first-agent.md',
  '/openapi.agent.json',
  '/.well-known/ai-plugin.json',
  '/a2a/.well-known/agent-card.json',
]

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Rpc {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: { hint?: string; detail?: string } }
}

/** What is true only where anybody gets a key. */
const openWords =
  /A key needs no account|claim needs no account|call and no account|No account, no p/

/** Names of the Commons, its operations, paths or tokens, but not the name of a kind of caller. */
const ofCommons = /(?<!· |: a )commons|cmn_/i

/** The first match in a text with its surroundings: a failure need not print the whole document. */
const foundIn = (text: string, sought: RegExp): string | undefined => {
  const at = text.search(sought)
  return at < 0 ? undefined : text.slice(Math.max(0, at - 60), at + 60)
}

/** A request of MCP. */
async function mcp(server: Serving, method: string, params: object, path = '/mcp'): Promise<Rpc> {
  const headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
  }
  const named = 'name' in params ? params.name : 'uri' in params ? params.uri : undefined
  if (typeof named === 'string') headers['mcp-name'] = named
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: modern } }
  return JSON.parse((await server.ask(path, sending('POST', body, headers))).text) as Rpc
}

async function a2a(server: Serving, method: string, params: object): Promise<Rpc> {
  const body = { jsonrpc: '2.0', id: 1, method, params }
  const headers = { 'a2a-version': '1.0' }
  return JSON.parse((await server.ask('/a2a', sending('POST', body, headers))).text) as Rpc
}

describe('a server that admits by invitation, without the Commons', () => {
  let server: Serving
  const catalogHere = withSignUp(withoutCommons(catalog), signUps.invited)
  beforeAll(async () => {
    const env = { ABODE_SIGN_UP: 'invited', ABODE_COMMONS: 'off', ABODE_CONTACT: contact }
    server = await serving({ ABODE_RATE_LIMITS: 'off', ...env }, catalogHere)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each(firstRead)('says in %s what a key takes', async (path) => {
    const { status, text } = await server.ask(path)
    expect(status).toBe(200)
    expect(text).toMatch(/invitation/i)
    expect(foundIn(text, openWords)).toBeUndefined()
  })

  it('has guides whose calls bring an invitation', async () => {
    for (const name of guideNames.filter((name) => name !== 'commons')) {
      const { text } = await server.ask(`/guides/${name}.md`)
      expect(text, name).not.toMatch(/api\/agent-claim \|/)
      if (text.includes('api/agent-claim')) expect(text, name).toContain(`(${contact})`)
    }
  })

  it('tells it to models as they connect, and shows the member in the schema of the tool', async () => {
    const discovered = await mcp(server, 'server/discover', {})
    expect(JSON.stringify(discovered.result)).toContain('invitation code')
    const { result } = await mcp(server, 'tools/list', {})
    const tools = result?.['tools'] as { name: string; inputSchema: { required?: string[] } }[]
    const claim = tools.find(({ name }) => name === 'agent_claim_create')
    expect(claim?.inputSchema.required).toContain('invitation')
    const flows = (await server.ask('/.well-known/agents.json')).text
    expect(flows).toContain('agent_claim_create')
    expect(flows).toContain('"name":"invitation"')
  })

  it.each([
    ['no body', { method: 'POST' }],
    ['a list', sending('POST', [])],
    ['a text', { method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } }],
    ['broken JSON', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
  ])('tells a newcomer who sends %s that an invitation is needed', async (_, sent) => {
    for (const path of ['/api/agent-claim', '/api/auth/register']) {
      const { status, body } = await server.ask(path, sent)
      expect([path, status, body.code]).toEqual([path, 403, 'sign_up_closed'])
      expect(body.hint).toContain(`(${contact})`)
    }
  })

  it('tells of no door in its conformance report that is not here', async () => {
    const { text } = await server.ask('/api/conformance')
    expect(text).toContain('"door":"/mcp"')
    expect(text).not.toContain('/api/commons')
  })

  it.each(['/api/commons', '/api/commons/', '/api/commons/threads', '/api/commons/me/status-card'])(
    'answers 404 at %s, with the reason and whom to ask',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT']) {
        const { status, body } = await server.ask(path, { method })
        expect(status).toBe(404)
        expect(body).toMatchObject({
          ok: false,
          error: {
            code: 'not_found',
            message: 'This server has no Commons.',
            hint: expect.stringContaining(`(${contact})`) as string,
            docs_url: `${server.url}/auth.md`,
          },
        })
      }
    },
  )

  it.each([
    '/commons',
    '/commons/skill.md',
    '/commons/errors.md',
    '/commons/b/ask',
    '/guides/commons',
    '/guides/commons.md',
    '/api-reference/commons',
    '/api-reference/commons-people.md',
  ])('answers 404 at the page %s, with the reason and whom to ask', async (path) => {
    const { status, body } = await server.ask(path)
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'path_not_found', detail: 'This server has no Commons.' })
    expect(body.hint).toContain(`(${contact})`)
  })

  it.each(['/api/commons/mcp', '/api/commons/a2a'])('answers 404 at the door %s', async (path) => {
    const answered = await server.ask(path, sending('POST', { jsonrpc: '2.0', id: 1, method: 'x' }))
    expect(answered.status).toBe(404)
    const { error } = JSON.parse(answered.text) as Rpc
    expect(error?.data?.hint).toContain(`(${contact})`)
    expect((await server.ask(path)).status).toBe(404)
  })

  it('says on the doors of agents why there is no operation of the Commons', async () => {
    const called = await mcp(server, 'tools/call', { name: 'commons_boards_list', arguments: {} })
    expect(called.error?.message).toContain(`This server has no Commons.`)
    expect(called.error?.message).toContain(`(${contact})`)
    const method = await a2a(server, 'commons.boards.list', {})
    expect(method.error).toMatchObject({ code: -32601 })
    expect(method.error?.data?.hint).toContain(`(${contact})`)
    const parts = [{ data: { operation: 'commons.boards.list', params: {} } }]
    const message = { messageId: 'm1', role: 'ROLE_USER', parts }
    expect(JSON.stringify(await a2a(server, 'SendMessage', { message }))).toContain(`(${contact})`)
  })

  it('lists nothing of the Commons anywhere', async () => {
    const pages = [...firstRead, '/', '/sitemap.xml', '/robots.txt', '/.well-known/agents.json']
    const more = [
      '/.well-known/agent-card.json',
      '/guides',
      '/api-reference',
      '/api/operations?q=thread',
    ]
    for (const path of [...pages, ...more]) {
      const { status, text } = await server.ask(path)
      expect([path, status]).toEqual([path, 200])
      expect(foundIn(text, ofCommons), path).toBeUndefined()
    }
    const listed = JSON.stringify([
      await mcp(server, 'tools/list', {}),
      await mcp(server, 'prompts/list', {}),
      await mcp(server, 'resources/list', {}),
      await mcp(server, 'server/discover', {}),
      await mcp(server, 'resources/read', { uri: 'abode://skill' }),
      await mcp(server, 'resources/read', { uri: 'abode://operations' }),
    ])
    expect(foundIn(listed, ofCommons)).toBeUndefined()
  })

  it('gives the card of the platform at the well-known address', async () => {
    const { text } = await server.ask('/.well-known/agent-card.json')
    expect(text).toBe((await server.ask('/a2a/.well-known/agent-card.json')).text)
    expect(JSON.parse(text)).toMatchObject({ name: 'Abode', url: `${server.url}/a2a/` })
  })
})

describe('a server that is closed', () => {
  let server: Serving
  beforeAll(async () => {
    const env = { ABODE_SIGN_UP: 'closed', ABODE_CONTACT: contact }
    const catalogHere = withSignUp(catalog, signUps.closed)
    server = await serving({ ABODE_RATE_LIMITS: 'off', ...env }, catalogHere)
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it.each([
    ['/api/agent-claim', 'no JSON', '{'],
    ['/api/agent-claim', 'a list', '[]'],
    ['/api/agent-claim', 'more than fits', JSON.stringify({ name: 'x'.repeat(2 ** 21) })],
    ['/api/agent-claim', 'a depth of a thousand', '['.repeat(1000)],
    ['/api/auth/register', 'no JSON', '{"email"'],
    ['/api/commons/identities', 'no JSON', 'challenge=x'],
  ])('says so at %s to %s', async (path, _, body) => {
    const answered = await server.ask(path, sending('POST', body))
    expect(answered.status).toBe(403)
    expect(answered.text).toContain('sign_up_closed')
    expect(answered.text).toContain(`(${contact})`)
  })

  it('says so to a body of any type, and to none', async () => {
    const post = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'a,b' }
    expect((await server.ask('/api/agent-claim', post)).body.code).toBe('sign_up_closed')
    const none = await server.ask('/api/agent-claim', { method: 'POST' })
    expect(none.body).toMatchObject({
      code: 'sign_up_closed',
      detail: expect.any(String) as string,
    })
  })

  it('says so on the doors of agents, however deep the input is', async () => {
    let deep: object = {}
    for (let i = 0; i < 33; i++) deep = { deep }
    const tool = await mcp(server, 'tools/call', { name: 'agent_claim_create', arguments: deep })
    expect(JSON.stringify(tool)).toContain('sign_up_closed')
    const method = await a2a(server, 'agent_claim.create', deep)
    expect(method.error).toMatchObject({ code: 403, data: { code: 'sign_up_closed' } })
  })

  it.each(firstRead)('says in %s that there are no new keys, and whom to ask', async (path) => {
    const { status, text } = await server.ask(path)
    expect(status).toBe(200)
    expect(text).toContain(`(${contact})`)
    expect(foundIn(text, openWords)).toBeUndefined()
    expect(text).not.toMatch(/api\/agent-claim \|/)
  })

  it('says it where a key is missing, and offers no flow that begins with one', async () => {
    const missing = await server.ask('/api/account')
    expect(missing.status).toBe(401)
    expect(missing.body.hint).toContain(`(${contact})`)
    expect(missing.body.hint).not.toContain('/api/agent-claim')
    const flows = (await server.ask('/.well-known/agents.json')).text
    expect(flows).not.toContain('"get_a_key"')
    expect(flows).not.toContain('"make_a_handle"')
    expect((await server.ask('/')).text).not.toContain('get_a_key')
    expect((await server.ask('/commons/skill.md')).text).toContain('gives no new handles')
  })
})
