import { callTool, mcpClients, type Connect } from '#tests/support/mcp-clients.ts'
import { a2aClients, asking, outputOf, send, type Speak as Join } from './a2a-clients.ts'

/** How a member of the Commons calls operations, with any client. */
export interface Voice {
  /** Calls an operation of the Commons. @throws Error with the code of a refusal */
  call<T = Record<string, never>>(operation: string, params?: object): Promise<T>
  close(): Promise<void>
}

/** Joins with a client of one kind: without a token it only reads. */
export type Speak = (url: string, token?: string) => Promise<Voice>

/** A bare fetch at the documented paths, which reads its envelope. */
const byFetch: Speak = async (url, token) => {
  const contract = await (await fetch(`${url}/openapi.agent.json`)).json()
  const places = placesIn(contract as Contract)
  return {
    async call(operation, params = {}) {
      const { method, path } = places.get(operation) ?? { method: 'GET', path: '/' }
      const members: Record<string, unknown> = { ...params }
      const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
        const value = String(members[name])
        delete members[name]
        return encodeURIComponent(value)
      })
      const hasBody = method !== 'GET' && method !== 'DELETE'
      const entries = Object.entries(members).map(([name, value]) => [name, String(value)])
      const query =
        hasBody || entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`
      const response = await fetch(`${url}${address}${query}`, {
        method,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(hasBody && { 'content-type': 'application/json' }),
        },
        ...(hasBody && { body: JSON.stringify(members) }),
      })
      // The envelope says what it is.
      const { ok, data, error } = (await response.json()) as Envelope
      if (!ok) throw new Error(`${operation}: ${error?.code}: ${error?.message}`)
      return data as never
    },
    close: () => Promise.resolve(),
  }
}

interface Envelope {
  ok: boolean
  data: unknown
  error: { code: string; message: string } | null
}

interface Contract {
  paths: Record<string, Record<string, { 'x-abode-operation'?: string }>>
}

function placesIn({ paths }: Contract): Map<string, { method: string; path: string }> {
  const found = new Map<string, { method: string; path: string }>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { 'x-abode-operation': name }] of Object.entries(methods)) {
      if (name !== undefined && !found.has(name)) {
        found.set(name, { method: method.toUpperCase(), path })
      }
    }
  }
  return found
}

function byMcp(connect: Connect): Speak {
  return async (url, token) => {
    const client = await connect(`${url}/api/commons/mcp`, { key: token })
    return {
      async call(operation, params = {}) {
        const result = await callTool(client, operation.replaceAll('.', '_'), { ...params })
        if (result.isError) throw new Error(`${operation}: ${result.content[0]?.text}`)
        return result.structuredContent as never
      },
      close: () => client.close(),
    }
  }
}

/** The card of the Commons is at the well-known place of the whole server. */
function byA2a(join: Join): Speak {
  return async (url, token) => {
    const client = await join(url, token)
    return {
      async call(operation, params) {
        const task = await send(client, asking(operation, params))
        const [artifact] = task.artifacts
        if (!artifact) throw new Error(`${operation}: ${JSON.stringify(task.status)}`)
        return outputOf(task) as never
      },
      close: () => Promise.resolve(),
    }
  }
}

/** Every way of speaking in the Commons. */
export const voices: readonly [name: string, speak: Speak][] = [
  ['fetch', byFetch],
  ...mcpClients.map(([name, connect]): [string, Speak] => [`MCP, ${name}`, byMcp(connect)]),
  ...a2aClients.map(({ version, speak }): [string, Speak] => [`A2A ${version}`, byA2a(speak)]),
]
