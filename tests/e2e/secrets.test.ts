import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { startWebServer, type WebServer } from '#tests/support/web-server.ts'

const hook = 'marker-webhook-4711'
const trigger = 'marker-trigger-4712'
const token = /\b(?:ab|cmn|act|lse|ort)_[0-9A-Za-z]{38}\b/

describe('secrets', () => {
  let server: ServerProcess
  const shown: string[] = []

  beforeAll(async () => {
    server = await startServer({ env: { ABODE_LOG_LEVEL: 'debug' } })
  })
  afterAll(() => server.dispose())

  const call = async (method: string, path: string, body?: unknown, key?: string) => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key && { authorization: `Bearer ${key}`, 'idempotency-key': `${method}${path}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await response.json()) as Record<string, string>
  }

  it('are in no answer but the one that makes them, in no log line, and in no file in clear', async () => {
    const claim = await call('POST', '/api/agent-claim', { name: 'Ada' })
    const key = claim.api_key ?? ''
    const second = await call('POST', '/api/api-keys/', { name: 'Second' }, key)
    await call('GET', `/api/agent-claim/status?token=${claim.token}`)
    const manifest = {
      app_id: 'secretive',
      name: 'Secretive',
      webhook: { url: 'https://hooks.example/in', secret: hook },
      agents: [
        {
          local_id: 'a',
          name: 'A',
          heart: {
            tasks: [
              {
                task_id: 't',
                name: 'T',
                triggers: [{ type: 'webhook', config: { path: 'in', secret: trigger } }],
              },
            ],
          },
        },
      ],
    }
    const run = (body: unknown, path: string, method = 'POST') => call(method, path, body, key)
    shown.push(
      JSON.stringify(await run(manifest, '/api/agent-apps/')),
      JSON.stringify(await run(undefined, '/api/agent-apps/secretive', 'GET')),
      JSON.stringify(await run(undefined, '/api/agent-apps/secretive/manifest', 'GET')),
      JSON.stringify(await run(undefined, '/api/characters/secretive--a', 'GET')),
      JSON.stringify(await run({ bio: 'x' }, '/api/characters/secretive--a', 'PUT')),
      JSON.stringify(await run(undefined, '/api/api-keys/', 'GET')),
      JSON.stringify(await run({ nonsense: key }, '/api/api-keys/')),
    )
    await run({ input: 'x' }, '/api/characters/secretive--a/tasks/t/run')
    const lease = await run({ wait_seconds: 30 }, '/api/runs/lease')
    expect(lease.lease_token).toMatch(token)
    await call('GET', '/api/account', undefined, `${key.slice(0, -1)}!`)
    // A key in the address is not honoured, and no log keeps it.
    const inQuery = await fetch(
      `${server.url}/api/account?access_token=${key}&authorization=${key}`,
    )
    expect(inQuery.status).toBe(401)

    for (const text of shown) {
      expect(text).not.toContain(hook)
      expect(text).not.toContain(trigger)
      expect(text).not.toMatch(token)
    }
    const secrets = [
      key,
      claim.token,
      claim.claim_url?.split('/').at(-1),
      second.key,
      lease.lease_token,
    ]
    const raw = [hook, trigger, ...secrets.map(String)]
    await server.end('SIGTERM')
    const log = server.lines.join('\n')
    for (const secret of raw) expect(log).not.toContain(secret)
    for (const name of await readdir(server.dataDir)) {
      const bytes = await readFile(join(server.dataDir, name))
      for (const secret of raw) expect(bytes.includes(secret), `${secret} in ${name}`).toBe(false)
    }
  })

  it('survive a kill without being written in clear', async () => {
    const again = await startServer({ dataDir: server.dataDir })
    const { api_key } = (await (
      await fetch(`${again.url}/api/agent-claim`, {
        method: 'POST',
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
    ).json()) as { api_key: string }
    await again.end('SIGKILL')
    for (const name of await readdir(server.dataDir)) {
      const bytes = await readFile(join(server.dataDir, name))
      expect(bytes.includes(api_key), name).toBe(false)
    }
  })
})

describe('secrets of agents', () => {
  const markers = {
    BY_REST: 'marker/rest "4721" ',
    BY_MCP: 'marker-mcp-4722-enough',
    BY_METHOD: 'marker-method-4723-enough',
    BY_MESSAGE: 'marker-message-4724-enough',
  }
  /** In the environments of tool servers, of channels, and of tools of tasks. */
  const settings = {
    rest: 'marker-server-4731-enough',
    mcp: 'marker-channel-4732-enough',
    method: 'marker/server "4733" enough',
    message: 'marker-channel-4734-enough',
    manifest: 'marker-manifest-4735-enough',
    file: 'marker-file-4736-enough',
    toolByRest: 'marker/tool "4737" enough',
    toolByMcp: 'marker-tool-4738-enough',
    toolByMethod: 'marker-tool-4739-enough',
    toolByMessage: 'marker-tool-4740-enough',
    toolByManifest: 'marker-tool-4741-enough',
    toolByFile: 'marker-tool-4742-enough',
  }
  /** Sent where it is refused. */
  const refused = 'marker-refused-4725-enough'
  const formsOf = (marker: string): string[] => [
    marker,
    JSON.stringify(marker).slice(1, -1),
    encodeURIComponent(marker),
    Buffer.from(marker).toString('base64'),
  ]
  let server: ServerProcess
  let web: WebServer
  let key: string
  const seen: string[] = []
  const shown: string[] = []

  beforeAll(async () => {
    web = await startWebServer()
    server = await startServer({
      env: { ABODE_LOG_LEVEL: 'debug', ABODE_OUTBOUND_ALLOW: web.origin },
    })
    key = (await ask('POST', '/api/agent-claim')).api_key ?? ''
    // The claim itself is told once.
    shown.length = 0
  })
  afterAll(async () => {
    web.close()
    await server.dispose()
  })

  async function ask(method: string, path: string, body?: unknown): Promise<Record<string, never>> {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        accept: 'application/json, text/event-stream',
        'a2a-version': '1.0',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        'idempotency-key': crypto.randomUUID(),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    shown.push(text, JSON.stringify([...response.headers]))
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Record<string, never>
  }
  const rpc = (path: string, method: string, params: object) =>
    ask('POST', path, { jsonrpc: '2.0', id: 1, method, params })

  it('are set through every door, and given back by none', async () => {
    await ask('POST', '/api/characters/', { id: 'ada', name: 'Ada' })
    const change = (name: keyof typeof markers) => {
      const secrets = [{ name, value: markers[name] }]
      return { char_id: 'ada', secrets }
    }
    const path = '/api/characters/ada/secrets'
    await ask('PUT', path, { secrets: change('BY_REST').secrets })
    const name = 'characters_secrets_update'
    await rpc('/mcp', 'tools/call', { name, arguments: change('BY_MCP') })
    await rpc('/a2a', 'characters.secrets.update', change('BY_METHOD'))
    const data = { operation: 'characters.secrets.update', params: change('BY_MESSAGE') }
    const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ data }] }
    const sent = await rpc('/a2a', 'SendMessage', { message })
    expect(JSON.stringify(sent)).toContain('TASK_STATE_COMPLETED')
    await rpc('/a2a', 'ListTasks', {})
    const { items } = (await ask('GET', path)) as unknown as { items: { name: string }[] }
    expect(items.map((one) => one.name)).toEqual(['BY_MCP', 'BY_MESSAGE', 'BY_METHOD', 'BY_REST'])
  })

  it('are set in settings through every door, and shown by none', async () => {
    const server = (value: string) => ({ mcps: [{ name: 's', env: { 'x-any': value } }] })
    const channel = (secret: string) => ({
      channels: [{ name: 'c', type: 'webhook', config: { secret } }],
    })
    const at = '/api/characters/set'
    await ask('POST', '/api/characters/', { id: 'set', name: 'S', brain: server(settings.rest) })
    const change = (character: object) => ({ char_id: 'set', character })
    const name = 'characters_update'
    await rpc('/mcp', 'tools/call', { name, arguments: change({ control: channel(settings.mcp) }) })
    await rpc('/a2a', 'characters.update', change({ brain: server(settings.method) }))
    const params = change({ control: channel(settings.message) })
    const data = { operation: 'characters.update', params }
    const message = { messageId: 'm3', role: 'ROLE_USER', parts: [{ data }] }
    await rpc('/a2a', 'SendMessage', { message })
    await rpc('/a2a', 'ListTasks', {})
    const { id: _id, ...shownNow } = (await ask('GET', at)) as Record<string, unknown>
    expect(shownNow).toMatchObject({ brain: server('***'), control: channel('***') })
    const both = { brain: server(settings.manifest), control: channel(settings.manifest) }
    const manifest = { app_id: 'set', name: 'S', agents: [{ local_id: 'a', name: 'A', ...both }] }
    await ask('POST', '/api/agent-apps/', manifest)
    await ask('POST', '/api/agent-apps/set/plan', manifest)
    await ask('PUT', '/api/agent-apps/set', { ...manifest, description: 'Again' })
    await ask('GET', '/api/agent-apps/set')
    await ask('GET', '/api/agent-apps/set/manifest')
    const file = { name: 'F', brain: server(settings.file), control: channel(settings.file) }
    const sent = { filename: 'f.json', data: Buffer.from(JSON.stringify(file)).toString('base64') }
    await rpc('/mcp', 'tools/call', { name: 'characters_import', arguments: { file: sent } })
    for (const op of ['export', 'revisions']) await ask('GET', `${at}/${op}`)
    await ask('POST', `${at}/clone`, {})
    await ask('POST', `${at}/revisions/1/restore`, {})
    await ask('PUT', at, { brain: { mcps: [{ name: 's', env: settings.rest }] } })
    await ask('PUT', at, {
      control: { channels: [{ name: 'c', config: { secret: [settings.rest] } }] },
    })
    await ask('DELETE', '/api/agent-apps/set')
  })

  it('are set in tools of tasks through every door, sent, and shown by none', async () => {
    const got: unknown[] = []
    const api_url = web.on('/tool', ({ headers }, response) => {
      got.push(headers['x-any'])
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ headers, all: formsOf(String(headers['x-any'])) }))
    })
    const tools = (value: string) => [
      { name: 'h', type: 'http', config: { headers: { 'X-Any': value } } },
      { name: 'm', type: 'mcp', config: { env: { 'x-any': value } } },
    ]
    const of = { char_id: 'tooled', task_id: 't' }
    const at = '/api/characters/tooled/tasks/t'
    const named = { task_id: 't', name: 'T', runtime: 'api', api_url }
    const run = async () => {
      const ended = await ask('POST', `${at}/run`, { input: 'x', wait_seconds: 30 })
      expect(ended['status'], JSON.stringify(ended)).toBe('completed')
    }
    const heart = (value: string) => ({ tasks: [{ ...named, tools: tools(value) }] })
    const own = { id: 'tooled', name: 'T', heart: heart(settings.toolByRest) }
    await ask('POST', '/api/characters/', own)
    await run()
    const change = (value: string) => ({ ...of, task: { tools: tools(value) } })
    const name = 'tasks_update'
    await rpc('/mcp', 'tools/call', { name, arguments: change(settings.toolByMcp) })
    await run()
    await rpc('/a2a', 'tasks.update', change(settings.toolByMethod))
    await run()
    const data = { operation: 'tasks.update', params: change(settings.toolByMessage) }
    const message = { messageId: 'm4', role: 'ROLE_USER', parts: [{ data }] }
    await rpc('/a2a', 'SendMessage', { message })
    await rpc('/a2a', 'ListTasks', {})
    const shownNow = (await ask('GET', at)) as Record<string, unknown>
    expect(shownNow).toMatchObject({ tools: tools('***') })
    await ask('PUT', at, { tools: tools('***'), name: 'Again' })
    await run()
    const { toolByRest, toolByMcp, toolByMethod, toolByMessage } = settings
    expect(got).toEqual([toolByRest, toolByMcp, toolByMethod, toolByMessage])
    const agents = [{ local_id: 'a', name: 'A', heart: heart(settings.toolByManifest) }]
    const manifest = { app_id: 'tooled-app', name: 'S', agents }
    await ask('POST', '/api/agent-apps/', manifest)
    await ask('POST', '/api/agent-apps/tooled-app/plan', manifest)
    await ask('PUT', '/api/agent-apps/tooled-app', { ...manifest, description: 'Again' })
    await ask('GET', '/api/agent-apps/tooled-app/manifest')
    const file = { name: 'F', heart: heart(settings.toolByFile) }
    const sent = { filename: 'f.json', data: Buffer.from(JSON.stringify(file)).toString('base64') }
    await rpc('/mcp', 'tools/call', { name: 'characters_import', arguments: { file: sent } })
    for (const op of ['', '/tasks', '/export', '/revisions']) {
      await ask('GET', `/api/characters/tooled${op}`)
    }
    await ask('PUT', '/api/characters/tooled', { bio: 'Now' })
    await ask('POST', '/api/characters/tooled/revisions/1/restore', {})
    await ask('POST', '/api/characters/tooled/clone', {})
    await ask('GET', '/api/runs/')
    const config = { headers: { 'X-Any': [toolByRest] }, env: toolByRest }
    await ask('PUT', at, { tools: [{ name: 7, type: 'http', config }] })
    await ask('DELETE', '/api/agent-apps/tooled-app')
  })

  it('are not told again where they are refused', async () => {
    const path = '/api/characters/ada/secrets'
    const wrong: unknown[] = [
      `{"secrets": [{"name": "A", "value": ${refused}}]}`,
      `{"secrets": [{"name": "A", "value": "${refused}"`,
      { secrets: [{ name: 'A', value: [refused] }] },
      { secrets: [{ name: 'A', value: { is: refused } }] },
      { secrets: { A: refused } },
      { secrets: refused },
      { secrets: [{ name: refused, value: 'x' }] },
      { secrets: [{ name: 'A', value: refused.repeat(400) }] },
      { secrets: [{ name: 'A', value: refused }], nonsense: refused },
      {
        secrets: [
          { name: 'A', value: refused },
          { name: 'A', value: null },
        ],
      },
    ]
    for (const body of wrong) await ask('PUT', path, body)
    const input = { char_id: 'absent', secrets: [{ name: 'A', value: refused }] }
    const name = 'characters_secrets_update'
    await rpc('/mcp', 'tools/call', { name, arguments: input })
    await rpc('/a2a', 'characters.secrets.update', input)
    const data = { operation: 'characters.secrets.update', params: input }
    const message = { messageId: 'm2', role: 'ROLE_USER', parts: [{ data }] }
    await rpc('/a2a', 'SendMessage', { message })
  })

  it('are sent by the runs that select them, and come back from none', async () => {
    const echo = web.on('/echo', ({ headers }, response) => {
      seen.push(String(headers['x-one']))
      const all = Object.values(markers).flatMap(formsOf)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ headers, all, text: all.join('\n') }))
    })
    const plain = web.on('/plain', ({ headers }, response) => {
      response.setHeader('content-type', 'text/plain')
      response.end(JSON.stringify(headers))
    })
    const away = web.on('/away', (_, response) =>
      response.writeHead(302, { location: plain }).end(),
    )
    const down = web.on('/down', ({ headers }, response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end(JSON.stringify(headers)),
    )
    const headers = {
      'X-One': '{{secret.BY_REST}}',
      'X-Two': 'Bearer {{secret.BY_MCP}} {{secret.BY_METHOD}}',
      'X-Three': '{{secret.BY_MESSAGE}}',
    }
    for (const [task_id, api_url] of Object.entries({ echo, plain, away, down })) {
      const task = {
        task_id,
        name: task_id,
        runtime: 'api',
        api_url,
        selected_secrets: Object.keys(markers),
        tools: [{ name: 'call', type: 'http', config: { headers } }],
      }
      await ask('POST', '/api/characters/ada/tasks', task)
      const at = `/api/characters/ada/tasks/${task_id}/run`
      const run = await ask('POST', at, { input: 'x', wait_seconds: 30 })
      expect(run['status'], JSON.stringify(run)).toBe(task_id === 'down' ? 'failed' : 'completed')
      await ask('GET', `/api/runs/${String(run['id'])}/events`)
    }
    expect(seen).toEqual([markers.BY_REST.trim()])
    expect(shown.join('\n')).toContain('[secret]')
    await ask('PUT', '/api/characters/ada', { bio: 'changed' })
    await ask('GET', '/api/characters/ada/revisions')
    await ask('POST', '/api/characters/ada/revisions/1/restore', {})
    await ask('GET', '/api/characters/ada')
    await ask('GET', '/api/runs/')
  })

  it('are in no answer, in no line of the log and in no file, as they are or in another form', async () => {
    await server.end('SIGKILL')
    const files = await readdir(server.dataDir)
    expect(files.length).toBeGreaterThan(1)
    const places = [
      ['the answers', Buffer.from(shown.join('\n'))],
      ['the log', Buffer.from(server.lines.join('\n'))],
      ...(await Promise.all(
        files.map(async (name) => [name, await readFile(join(server.dataDir, name))] as const),
      )),
    ] as const
    for (const marker of [...Object.values(markers), ...Object.values(settings)]) {
      for (const form of [...formsOf(marker), ...formsOf(marker.trim())]) {
        for (const [place, bytes] of places) {
          expect(bytes.includes(form), `${form} in ${place}`).toBe(false)
        }
      }
    }
    for (const [place, bytes] of places.slice(1)) {
      expect(bytes.includes(refused.slice(0, -7)), `the refused one in ${place}`).toBe(false)
    }
    expect(places[0][1].includes(refused)).toBe(false)
  })
})
