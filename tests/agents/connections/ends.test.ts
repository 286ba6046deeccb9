import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closeAccounts } from '#src/departures/account.ts'
import { purgeOutbound } from '#src/agents/connections/purge.ts'
import { connectionsAtMost } from '#src/agents/connections/connection.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { connecting, type Connecting } from './connected.ts'

describe.each(oneStore())('connections, on $name', (kind) => {
  let store: Store
  let made: Connecting
  beforeEach(async () => {
    store = await kind.open()
    made = await connecting(store)
    await made.ran('api')
  })
  afterEach(async () => {
    await made.close()
    await store.close()
  })

  it('end with the account, at both sides', async () => {
    await made.consents()
    const at = new Date().toISOString()
    const closed = { closed_at: at, closing_due_at: at }
    await store.accounts.update({ id: made.person.account_id }, { $set: closed })
    await closeAccounts(made.world.ports, new Date())
    expect(await store.outbound_connections.count({})).toBe(0)
    expect(made.authorization.asked).toContain('POST /token/revocation')
  })

  it('that no person has consented to are forgotten, and others are not', async () => {
    const day = 86_400_000
    const late = new Date(Date.now() + 91 * day)
    await purgeOutbound(made.world.ports, new Date(Date.now() + 89 * day))
    expect(await store.outbound_connections.count({})).toBe(1)
    await purgeOutbound(made.world.ports, late)
    expect(await store.outbound_connections.count({})).toBe(0)
    await made.ran('api')
    await made.consents()
    await purgeOutbound(made.world.ports, late)
    expect(await store.outbound_connections.count({})).toBe(1)
  })

  it('of one agent are few, however many servers ask', async () => {
    const one = await made.connection()
    for (let i = 1; i < connectionsAtMost; i++) {
      const resource = `https://tools-${i}.example/`
      const other = { ...one, id: `${one.id}-${i}`, resource, origin: resource.slice(0, -1) }
      await store.outbound_connections.insert(other)
    }
    await store.outbound_connections.delete({ id: one.id })
    await store.outbound_connections.insert({
      ...one,
      resource: 'https://last.example/',
      origin: 'x',
    })
    expect((await made.ran('api')).error?.code).toBe('api_status')
    expect(await store.outbound_connections.count({})).toBe(connectionsAtMost)
  })

  it('of an agent are used by no other of the account', async () => {
    await made.consents()
    const session = { token: made.person.token }
    const task = {
      task_id: 'api',
      name: 'A',
      prompt: 'x',
      runtime: 'api',
      api_url: made.guarded.api,
    }
    const character = { id: 'bob', name: 'Bob', heart: { tasks: [task] } }
    await made.world.ask('characters.create', { character }, session)
    const input = { char_id: 'bob', task_id: 'api', wait_seconds: 20 }
    const run = await made.world.ask<{ error: object }>('tasks.run', input, session)
    expect(run.error).toMatchObject({ code: 'needs_consent' })
    expect(await store.outbound_connections.count({})).toBe(2)
  })

  it('are not for calls that say themselves who they are', async () => {
    await made.consents()
    const session = { token: made.person.token }
    const tools = [
      { name: 'c', type: 'http', config: { headers: { Authorization: 'Bearer own-key-of-mine' } } },
    ]
    await made.world.ask(
      'tasks.update',
      { char_id: 'ada', task_id: 'api', task: { tools } },
      session,
    )
    made.guarded.sent.length = 0
    expect((await made.ran('api')).error?.code).toBe('api_status')
    expect(made.guarded.sent).toEqual(['own-key-of-mine'])
  })

  it('send nothing to another origin, where the server redirects there', async () => {
    await made.consents()
    const { web } = made.guarded.tools
    const sent: (string | undefined)[] = []
    const other = web.origin.replace('127.0.0.1', 'localhost')
    web.on('/elsewhere', (request, response) => {
      sent.push(request.headers.authorization)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    web.on('/guarded/api', (_, response) => {
      response.writeHead(307, { location: `${other}/elsewhere` }).end()
    })
    expect((await made.ran('api')).status).toBe('completed')
    expect(sent).toEqual([undefined])
  })
})
