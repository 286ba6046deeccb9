import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { oauthScopes, type OauthScope } from '#src/core/authorization/scopes.ts'
import { accountDoor } from '#src/core/authorization/paths.ts'
import { offered, scopeOf } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import { callsOf } from '#tests/support/served/calls.ts'
import { oneStore } from '#tests/support/stores.ts'
import { issued } from './connection.ts'
import { personAt } from './person.ts'

/** Where a call reaches an operation, and with what it gets there. */
const doors = {
  REST: { resource: '', call: byRest, status: 403 },
  'a tool': { resource: accountDoor, call: byTool, status: 403 },
  operations_call: { resource: accountDoor, call: byNamedTool, status: 403 },
  'a method of A2A': { resource: '/a2a/', call: byMethod, status: 403 },
  // What a message asks for becomes a task, also where it is refused.
  'a data part of A2A': { resource: '/a2a/', call: byDataPart, status: 200 },
} as const

type Calls = ReturnType<typeof callsOf>

function byRest({ post }: Calls, { http: { method, path } }: Operation): Promise<Sent> {
  const place = path.replaceAll(/\{\w+\}/g, 'none')
  const sent = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined
  return post(place, sent ?? '', {}, method)
}

function byTool(calls: Calls, { name }: Operation): Promise<Sent> {
  return tool(calls, name.replaceAll('.', '_'), {})
}

function byNamedTool(calls: Calls, { name }: Operation): Promise<Sent> {
  return tool(calls, 'operations_call', { name, arguments: {} })
}

function tool({ post }: Calls, name: string, input: object): Promise<Sent> {
  const params = { name, arguments: input }
  return post(
    accountDoor,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
  )
}

function byMethod({ post }: Calls, { name: method }: Operation): Promise<Sent> {
  return post('/a2a/', { jsonrpc: '2.0', id: 1, method, params: {} })
}

let messages = 0
function byDataPart({ post }: Calls, { name: operation }: Operation): Promise<Sent> {
  const parts = [{ data: { operation, input: {} } }]
  const message = { messageId: `m-${(messages += 1)}`, role: 'ROLE_USER', parts }
  return post(
    '/a2a/',
    { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
    {
      'a2a-version': '1.0',
    },
  )
}

interface Sent {
  response: Response
  body: unknown
}

/** Whether it was refused for its scope: the Commons has codes of its own. */
const lacks = ({ body }: Sent): boolean => JSON.stringify(body).includes('"ask_for"')

/** What is open to everybody is answered as to everybody. */
const isOpen = (op: Operation): boolean => op.auth === 'none'

describe('a token at every operation', () => {
  let server: PlayedServer
  const tokens = new Map<string, Calls>()

  beforeAll(async () => {
    const [kind] = oneStore()
    if (!kind) throw new Error('there is a store')
    server = await openServer(kind)
    const { url } = server
    const browser = await personAt(url)
    const me = JSON.parse((await browser.call('/api/auth/me')).text) as {
      person: { id: string }
      account_id: string
    }
    for (const scope of oauthScopes) {
      const others = oauthScopes.filter((one) => one !== scope)
      for (const resource of new Set(Object.values(doors).map((one) => one.resource))) {
        for (const [kindOf, scopes] of [
          ['only', [scope]],
          ['but', others],
        ] as const) {
          const { token } = await issued(
            server.world.ports,
            { ...me.person, account_id: me.account_id },
            { scopes, resource: url + resource },
          )
          tokens.set(`${kindOf} ${scope} ${resource}`, callsOf(url, token))
        }
      }
    }
  })
  afterAll(() => server.close())

  const callsWith = (which: 'only' | 'but', scope: OauthScope, resource: string): Calls => {
    const calls = tokens.get(`${which} ${scope} ${resource}`)
    if (!calls) throw new Error('there is a token for each')
    return calls
  }

  test.each(Object.entries(doors))(
    'needs exactly its scope by %s',
    async (door, { resource, call, status }) => {
      const wrong: string[] = []
      const reached = door === 'REST' ? catalog : offered(catalog)
      for (const op of reached.filter((one) => !one.internal && !isOpen(one))) {
        const scope = scopeOf(op)
        const [without, alone] = await Promise.all([
          call(callsWith('but', scope, resource), op),
          call(callsWith('only', scope, resource), op),
        ])
        const { status: told } = without.response
        if (!lacks(without) || told !== status) wrong.push(`${op.name} without ${scope}: ${told}`)
        if (lacks(alone)) wrong.push(`${op.name} with ${scope} alone`)
      }
      expect(wrong).toEqual([])
    },
  )
})
