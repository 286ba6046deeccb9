import type { ErrorObject } from '#src/core/errors.ts'

/** What a caller over REST sees. */
export interface Told {
  status: number
  understood: string | null
  body: Record<string, unknown>
}

/** What a door of agents answers: what was asked for, or the error object. */
export interface Called {
  understood: string | null
  answer?: Record<string, unknown>
  error?: ErrorObject
}

const modern = '2026-07-28'

/** Calls of a server through every door by a key, if there is one, with how their input was understood. */
export function callsOf(url: string, key: string | undefined) {
  async function post(
    path: string,
    body: unknown,
    more: Record<string, string> = {},
    method = 'POST',
  ) {
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...more,
      },
      ...(method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    // The revisions of 2025 answer with an event.
    const json = text.startsWith('event:') ? text.slice(text.indexOf('{')) : text
    return { response, body: JSON.parse(json) as Record<string, unknown> }
  }

  async function rest(method: string, path: string, body: unknown): Promise<Told> {
    const { response, body: answer } = await post(path, body, {}, method)
    return {
      status: response.status,
      understood: response.headers.get('understood'),
      body: answer,
    }
  }

  /** A tool call, of the current revision or of the one before, and the `_meta` of its result. */
  async function mcp(name: string, input: object, era: 'modern' | 'legacy' = 'modern') {
    const isModern = era === 'modern'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': modern,
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name, arguments: input, ...(isModern && { _meta }) }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { body } = await post('/mcp', call, {
      accept: 'application/json, text/event-stream',
      ...(isModern && {
        'mcp-protocol-version': modern,
        'mcp-method': 'tools/call',
        'mcp-name': name,
      }),
    })
    const { result = {} } = body as { result?: Record<string, unknown> }
    const meta = result['_meta'] as Record<string, unknown> | undefined
    return { isError: result['isError'] === true, meta: meta?.['abode/understood'], result }
  }

  /** A refusal over MCP is in the text of its result. */
  async function tool(name: string, input: object): Promise<Called> {
    const { isError, meta, result } = await mcp(name, input)
    const { text = '{}' } = (result['content'] as { text?: string }[])[0] ?? {}
    const said = JSON.parse(text) as Record<string, unknown>
    const told = (meta as { pointer: string; as: string }[] | undefined) ?? []
    const understood = told.map(({ pointer, as }) => `"${pointer}";as=${as}`).join(', ') || null
    return isError
      ? { understood, error: said as unknown as ErrorObject }
      : { understood, answer: said }
  }

  async function a2a(method: string, params: object) {
    const { response, body } = await post('/a2a', { jsonrpc: '2.0', id: 1, method, params })
    return { understood: response.headers.get('understood'), ...body } as {
      understood: string | null
      result?: Record<string, unknown>
      error?: { data: { code: string } }
    }
  }

  /** An operation by its method. */
  async function method(name: string, params: object): Promise<Called> {
    const { understood, result, error } = await a2a(name, params)
    return error
      ? { understood, error: error.data as unknown as ErrorObject }
      : { understood, answer: result ?? {} }
  }

  return { post, rest, mcp, a2a, tool, method }
}

/** What callers send through every door. */
export type Calls = ReturnType<typeof callsOf>

/** The smallest manifest. */
export const manifest = (app_id: string) => ({
  manifest_version: 1,
  app_id,
  name: 'Desk',
  agents: [{ local_id: 'lead', name: 'Lead' }],
})
