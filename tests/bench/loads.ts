import { agent, agentsStored, listed } from './documents.ts'
import type { Load, Sent } from './load.ts'
import type { Keys } from './stock.ts'

const modern = '2026-07-28'
const legacy = '2025-11-25'

let given = 0
const fresh = (): number => (given += 1)
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

function post(path: string, headers: Record<string, string>, body: object): Sent {
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/** The loads on the product. @param agents how many the reader has */
export function productLoads(keys: Keys, agents = agentsStored) {
  const someAgent = (): string => `agent-${Math.floor(Math.random() * agents)}`
  return {
    ...restLoads(keys, someAgent),
    ...runLoads(keys),
    ...mcpLoads(keys, someAgent),
    ...a2aLoads(keys, someAgent),
  }
}

function restLoads({ reader, lister, writer, token }: Keys, someAgent: () => string) {
  const get = (path: string, key: string): Sent => ({ method: 'GET', path, headers: bearer(key) })
  const create = (headers: Record<string, string>): Sent =>
    post('/api/characters/', { ...bearer(writer), ...headers }, agent(`new-${fresh()}`))
  const page = `/api/characters/?limit=${listed}`
  return {
    read: {
      next: () => get(`/api/characters/${someAgent()}`, reader),
      sign: '"tasks":[{"task_id":"greet"',
    },
    readByToken: {
      next: () => get(`/api/characters/${someAgent()}`, token),
      sign: '"tasks":[{"task_id":"greet"',
    },
    list: { next: () => get(page, lister), sign: '"next_cursor":"' },
    listWithTasks: { next: () => get(page, reader), sign: '"next_cursor":"' },
    create: { next: () => create({}), sign: '"revision":1' },
    createKeyed: {
      next: () => create({ 'idempotency-key': `key-${fresh()}` }),
      sign: '"revision":1',
    },
  } satisfies Record<string, Load>
}

function runLoads({ reader }: Keys) {
  const path = '/api/characters/agent-0/tasks/greet/run'
  const run = (members: object): Sent =>
    post(path, bearer(reader), { input: { name: `visitor ${fresh()}` }, ...members })
  return {
    // Accepted or already at its end: both are right, and what is left counts too.
    run: { next: () => run({}), sign: '"root_run_id":"run_', leavesWork: true },
    runAwaited: { next: () => run({ wait_seconds: 10 }), sign: '"status":"completed"' },
  } satisfies Record<string, Load>
}

function mcpLoads({ reader, run }: Keys, someAgent: () => string) {
  interface Params {
    name?: string
    taskId?: string
    uri?: string
  }
  const ask = (
    method: string,
    params: Params,
    version: string,
    path: string,
    capabilities: object = {},
  ): Sent => {
    const headers = {
      ...bearer(reader),
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
    }
    const request = { jsonrpc: '2.0', id: fresh(), method }
    if (version === legacy) return post(path, headers, { ...request, params })
    const name = params.name ?? params.taskId ?? params.uri
    const named: Record<string, string> = name === undefined ? {} : { 'mcp-name': name }
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    }
    const body = { ...request, params: { ...params, _meta } }
    return post(path, { ...headers, 'mcp-method': method, ...named }, body)
  }
  const withTasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
  const read = () => ({ name: 'characters_get', arguments: { char_id: someAgent() } })
  const list = (path: string): Load => ({
    next: () => ask('tools/list', {}, modern, path),
    sign: '"tools":[{"name":',
  })
  return {
    mcpCall: {
      next: () => ask('tools/call', read(), modern, '/mcp'),
      sign: '"structuredContent":{',
    },
    mcpTask: {
      next: () => ask('tasks/get', { taskId: run }, modern, '/mcp', withTasks),
      sign: '"status":"completed"',
    },
    mcpView: {
      next: () => ask('resources/read', { uri: 'ui://abode/run' }, modern, '/mcp'),
      sign: 'text/html;profile=mcp-app',
    },
    mcpList: list('/mcp'),
    mcpListCore: list('/mcp?toolsets=core'),
    mcpCallLegacy: {
      next: () => ask('tools/call', read(), legacy, '/mcp'),
      sign: '"structuredContent":{',
    },
  } satisfies Record<string, Load>
}

function a2aLoads({ reader }: Keys, someAgent: () => string) {
  const headers = { ...bearer(reader), 'a2a-version': '1.0' }
  const ask = (method: string, params: object, path = '/a2a'): Sent =>
    post(path, headers, { jsonrpc: '2.0', id: fresh(), method, params })
  const toAgent = () => {
    const data = { task_id: 'greet', name: `visitor ${fresh()}` }
    return { messageId: `message-${fresh()}`, role: 'ROLE_USER', parts: [{ data }] }
  }
  const message = () => {
    const data = { operation: 'characters.get', params: { char_id: someAgent() } }
    return { messageId: `message-${fresh()}`, role: 'ROLE_USER', parts: [{ data }] }
  }
  return {
    a2aDirect: {
      next: () => ask('characters.get', { char_id: someAgent() }),
      sign: '"result":{"id":"agent-',
    },
    a2aMessage: {
      next: () => ask('SendMessage', { message: message() }),
      sign: '"TASK_STATE_COMPLETED"',
    },
    a2aAgent: {
      next: () => ask('SendMessage', { message: toAgent() }, '/a2a/agent-0'),
      sign: '"text":"Good morning, visitor ',
    },
  } satisfies Record<string, Load>
}

/** The same work on the handler written by hand. */
export function bareLoads() {
  const get = (path: string): Sent => ({ method: 'GET', path })
  const someAgent = (): string => `agent-${Math.floor(Math.random() * agentsStored)}`
  const noKeys = { reader: '', lister: '', writer: '', token: '', run: '' }
  const { mcpCall } = mcpLoads(noKeys, someAgent)
  const { a2aDirect } = a2aLoads(noKeys, someAgent)
  return {
    bareRead: {
      next: () => get(`/agents/${someAgent()}`),
      sign: '"tasks":[{"task_id":"greet"',
    },
    bareList: { next: () => get('/agents'), sign: '"next_cursor":' },
    bareCreate: {
      next: () => post('/agents', {}, agent(`new-${fresh()}`)),
      sign: '"created_at":',
    },
    bareMcp: mcpCall,
    bareA2a: a2aDirect,
  } satisfies Record<string, Load>
}

export const echoLoad: Load = { next: () => ({ method: 'GET', path: '/' }), sign: 'ok' }
