import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountDoor } from '#src/core/authorization/paths.ts'
import { openServer, type PlayedServer } from '#tests/operations/doors/server.ts'
import type { Browser } from '#tests/oauth/browser.ts'
import { issued } from '#tests/oauth/connection.ts'
import { personAt } from '#tests/oauth/person.ts'
import { callsOf } from '#tests/support/served/calls.ts'
import { oneStore } from '#tests/support/stores.ts'

const contact = 'desk@operator.example'
const char_id = 'ada'
const telegram_token = 'a-long-word'
const task = {
  task_id: 'answer',
  name: 'Answer',
  prompt: 'Got {{input}}',
  runtime: 'template',
  public: true,
  service_enabled: true,
  triggers: [{ type: 'webhook', config: { path: 'orders' } }],
}
const channel = {
  name: 'chat',
  type: 'telegram',
  config: { secret: '1234:hush-hush-hush', signing_secret: telegram_token, task_id: 'answer' },
}
const character = {
  id: char_id,
  name: 'Ada',
  heart: { tasks: [task] },
  control: { channels: [channel] },
  visibility: { profile_visibility: 'public', ability_access: { chat: 'public' } },
}
const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }
const speaks = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

let server: PlayedServer
let person: Browser
let accountId: string
let channelKey: string
const sent: Record<'key' | 'agent key' | 'OAuth token' | 'MCP token' | 'A2A token', string> = {
  key: '',
  'agent key': '',
  'OAuth token': '',
  'MCP token': '',
  'A2A token': '',
}

beforeAll(async () => {
  const [kind] = oneStore()
  if (!kind) throw new Error('there is a store')
  server = await openServer(kind, { ABODE_CONTACT: contact })
  const { url, world } = server
  person = await personAt(url)
  const me = JSON.parse((await person.call('/api/auth/me')).text) as {
    person: { id: string }
    account_id: string
  }
  accountId = me.account_id
  const owner = { id: me.person.id, account_id: accountId }
  const tokenFor = async (resource: string): Promise<string> => {
    const scopes = ['read', 'write', 'run', 'admin'] as const
    return (await issued(world.ports, owner, { scopes, resource: url + resource })).token
  }
  sent['OAuth token'] = await tokenFor('')
  sent['MCP token'] = await tokenFor(accountDoor)
  sent['A2A token'] = await tokenFor('/a2a/')
  const { rest } = callsOf(url, sent['OAuth token'])
  await rest('POST', '/api/characters', character)
  const keyFor = async (more: object): Promise<string> =>
    String((await rest('POST', '/api/api-keys', { name: 'Made', ...more })).body['key'])
  sent.key = await keyFor({})
  sent['agent key'] = await keyFor({ scope_char_id: char_id })
  const { items } = await world.ask<{ items: { in_url: string }[] }>(
    'channels.list',
    { char_id },
    sent.key,
  )
  channelKey = items[0]?.in_url.split('/').at(-1) ?? ''
})
afterAll(() => server.close())

async function suspended(is: boolean): Promise<void> {
  const change = is
    ? { $set: { suspended_at: '2026-01-01T00:00:00.000Z' } }
    : { $unset: { suspended_at: true as const } }
  const { store, forgetCallers } = server.world.ports
  await store.accounts.update({ id: accountId }, change)
  // In the process of the server, as the command is not: there the store tells of the change.
  forgetCallers()
}

const rpc = (method: string, params: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
})

type Way = (credential: string | undefined) => Promise<{ response: Response; body: unknown }>

const posts =
  (path: string, body: unknown, more: Record<string, string> = {}, method = 'POST'): Way =>
  (credential) =>
    callsOf(server.url, credential).post(path, body, more, method)

const mcp = (method: string, params: object = {}, path: string = '/mcp'): Way =>
  posts(path, rpc(method, params), speaks)

const hello = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
}

/** How each credential comes to what an account has, also to what is open to everybody. */
const ways: readonly (readonly [string, keyof typeof sent, Way])[] = [
  ['REST', 'key', posts('/api/account', '', {}, 'GET')],
  ['an open operation', 'key', posts('/api/public/agents', '', {}, 'GET')],
  ['the Commons', 'key', posts('/api/commons/boards', '', {}, 'GET')],
  ['initialize', 'key', mcp('initialize', hello)],
  ['tools/list', 'key', mcp('tools/list')],
  ['tools/call', 'key', mcp('tools/call', { name: 'account_get', arguments: {} })],
  ['resources/list', 'key', mcp('resources/list')],
  ['prompts/list', 'key', mcp('prompts/list')],
  ['ping', 'key', mcp('ping')],
  ['MCP of the Commons', 'key', mcp('tools/list', {}, '/api/commons/mcp')],
  ['a method of A2A', 'key', posts('/a2a', rpc('account.get'))],
  ['tools/list of A2A', 'key', posts('/a2a', rpc('tools/list'))],
  [
    'a task of A2A',
    'key',
    posts('/a2a/', rpc('GetTask', { id: 'none' }), { 'a2a-version': '1.0' }),
  ],
  [
    'A2A of an agent',
    'key',
    posts(`/a2a/${char_id}`, rpc('SendMessage', { message }), { 'a2a-version': '1.0' }),
  ],
  ['REST', 'agent key', posts(`/api/characters/${char_id}`, '', {}, 'GET')],
  ['tools/list', 'agent key', mcp('tools/list')],
  ['leases', 'agent key', posts('/api/runs/lease', { char_id })],
  ['REST', 'OAuth token', posts('/api/account', '', {}, 'GET')],
  ['tools/list', 'MCP token', mcp('tools/list', {}, accountDoor)],
  ['tools/list', 'A2A token', posts('/a2a/', rpc('tools/list'), { 'a2a-version': '1.0' })],
]

const strangers: readonly (readonly [string, Way])[] = [
  ['a webhook', posts(`/api/hooks/${char_id}/orders`, { order: 1 })],
  [
    'a public chat',
    posts(`/a2a/${char_id}`, rpc('SendMessage', { message }), { 'a2a-version': '1.0' }),
  ],
  [
    'a channel',
    (credential) => {
      const from = { id: 5, is_bot: false }
      const said = { message_id: 7, from, chat: { id: 5, type: 'private' }, text: 'hello' }
      const header = { 'x-telegram-bot-api-secret-token': telegram_token }
      const way = posts(
        `/api/channels/${char_id}/${channelKey}`,
        { update_id: 1, message: said },
        header,
      )
      return way(credential)
    },
  ],
]

describe('a suspended account', () => {
  beforeAll(() => suspended(true))

  it.each(ways)('is refused at %s with its %s', async (_, name, way) => {
    const { response, body } = await way(sent[name])
    expect(JSON.stringify(body).slice(0, 900)).toContain('"account_suspended"')
    expect(JSON.stringify(body)).toContain(contact)
    expect(response.status).toBe(403)
  })

  it.each(strangers)('is not reached by %s', async (_, way) => {
    const { response, body } = await way(undefined)
    expect(JSON.stringify(body).slice(0, 900)).toContain('"account_suspended"')
    expect(JSON.stringify(body)).toContain(contact)
    expect([200, 403]).toContain(response.status)
  })

  it('is refused to the person who is signed in, at the API and on pages', async () => {
    const api = await person.call('/api/account')
    expect([api.status, api.text]).toEqual([403, expect.stringContaining(contact)])
    const page = await person.follow(await person.get('/settings'))
    expect([page.status, page.text]).toEqual([403, expect.stringContaining(contact)])
  })

  it('takes no orders, and none that was paid begins', async () => {
    const place = `/api/public/agents/${char_id}/tasks/answer/orders`
    const { response, body } = await posts(place, {})(undefined)
    expect([response.status, JSON.stringify(body)]).toEqual([
      409,
      expect.stringContaining('service_closed'),
    ])
  })

  it('goes on when it is resumed', async () => {
    await suspended(false)
    for (const [door, name, way] of ways) {
      const { body } = await way(sent[name])
      expect(JSON.stringify(body), door).not.toContain('account_suspended')
    }
    for (const [, way] of strangers) {
      expect(JSON.stringify((await way(undefined)).body)).not.toContain('account_suspended')
    }
    expect((await person.call('/api/account')).status).toBe(200)
  })
})
