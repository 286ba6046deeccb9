import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { connecting, type Connecting } from './connected.ts'

describe.each(oneStore())('a run whose server asks for consent, on $name', (kind) => {
  let store: Store
  let made: Connecting
  beforeEach(async () => {
    store = await kind.open()
    made = await connecting(store)
    made.model.plays({ text: ['Done.'] })
  })
  afterEach(async () => {
    await made.close()
    await store.close()
  })

  it('goes on without it, says where a person consents, and tells the owner once', async () => {
    made.model.plays({ text: ['Done.'] })
    const run = await made.ran()
    expect(run).toMatchObject({ status: 'completed', degraded: ['gauges'] })
    const { id, ...connection } = await made.connection()
    expect(connection).toMatchObject({
      char_id: 'ada',
      state: 'needs_consent',
      reason: 'asked',
      scopes: ['tools'],
      issuer: made.authorization.issuer,
    })
    const [event] = (await made.events(run)).filter(({ type }) => type === 'tools.unavailable')
    const url = `http://127.0.0.1:8080/connect/${id}`
    expect(event?.data).toMatchObject({
      name: 'gauges',
      code: 'needs_consent',
      connection_id: id,
      url,
    })
    await made.ran()
    const notices = await store.notices.find({ type: 'connection.needs_consent' })
    expect(notices.map(({ message }) => message)).toEqual([expect.stringContaining(url)])
    const inbox = async () => {
      const session = { token: made.person.token }
      type Page = { items: { type: string; resolved_at: string | null }[] }
      const { items } = await made.world.ask<Page>('account.inbox', {}, session)
      return items.filter(({ type }) => type === 'connection.needs_consent')
    }
    expect(await inbox()).toMatchObject([{ resolved_at: null }])
    await made.consents()
    expect(await inbox()).toMatchObject([{ resolved_at: expect.any(String) as string }])
  })

  it('is let in after one consent, by a token that nothing of it shows', async () => {
    await made.ran()
    expect((await made.consents()).outcome).toBe('connected')
    made.guarded.sent.length = 0
    const { origin } = made.guarded.tools
    made.model.plays(
      { calls: [{ name: 'gauges_echo', arguments: { text: 'hello' } }] },
      { text: ['Done.'] },
    )
    const run = await made.ran()
    expect(run.status).toBe('completed')
    expect(run).not.toHaveProperty('degraded')
    expect(made.guarded.tools.calls).toEqual([{ name: 'echo', input: { text: 'hello' } }])
    const [token = ''] = made.guarded.sent
    expect(token).toMatch(/^.{20,}$/)
    const kept = await store.outbound_connections.find({})
    const all = JSON.stringify([run, await made.events(run), kept, made.model.asked])
    expect(all).not.toContain(token)
    expect(await made.authorization.takes(token, `${origin}/guarded`)).toBe(true)
    made.model.plays(
      { calls: [{ name: 'gauges_echo', arguments: { text: token } }] },
      { text: ['Done.'] },
    )
    await made.ran()
    expect(made.guarded.tools.calls.at(-1)?.input).toEqual({ text: '[secret]' })
  })

  it('of the runtime api fails with the link, and is let in by the same consent', async () => {
    const refused = await made.ran('api')
    const { id } = await made.connection()
    expect(refused).toMatchObject({
      status: 'failed',
      error: {
        code: 'needs_consent',
        message: expect.stringContaining(`/connect/${id}`) as string,
      },
    })
    await made.consents()
    // The address says again what it was sent.
    const output = { done: true, sent: 'Bearer [secret]' }
    expect(await made.ran('api')).toMatchObject({ status: 'completed', output })
    // It is the same resource, so the tool server is open too.
    expect(await made.ran()).not.toHaveProperty('degraded')
    expect(await store.outbound_connections.count({})).toBe(1)
  })

  it('renews a token that the server takes no longer, and one that is about to end', async () => {
    await made.ran('api')
    await made.consents()
    await made.ran('api')
    const first = made.guarded.sent.at(-1) ?? ''
    await made.authorization.forget(first)
    made.authorization.tokenSeconds = 10
    expect((await made.ran('api')).status).toBe('completed')
    const second = made.guarded.sent.at(-1) ?? ''
    expect(second).not.toBe(first)
    // It ends so soon that the next run renews it first.
    made.guarded.sent.length = 0
    expect((await made.ran('api')).status).toBe('completed')
    expect(made.guarded.sent).toHaveLength(1)
    expect(made.guarded.sent[0]).not.toBe(second)
  })
})
