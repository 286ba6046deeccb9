import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { type Place, stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { connecting, type Connecting } from './connected.ts'

const refreshes = ({ authorization }: Connecting): number =>
  authorization.asked.filter((one) => one === 'POST /token').length

describe.each(stores())('the tokens of a connection, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let place: Place
  let store: Store
  let made: Connecting
  beforeEach(async () => {
    place = await kind.place()
    store = await place.open()
    made = await connecting(store)
    await made.ran('api')
    await made.consents()
    made.authorization.asked.length = 0
  })
  afterEach(async () => {
    await made.close()
    await store.close()
    await place.remove()
  })
  const sentLast = (): string => made.guarded.sent.at(-1) ?? ''
  const forgotten = async (): Promise<void> => {
    await made.ran('api')
    await made.authorization.forget(sentLast())
  }

  itOnEach('are renewed once where two processes and many runs need it at once', async () => {
    const other = await place.open()
    try {
      const second = made.alongside(other)
      await forgotten()
      const { length: before } = made.guarded.sent
      // The authorization server answers when all of them have been refused.
      const { promise: all, resolve: release } = Promise.withResolvers<void>()
      made.authorization.holds = all
      const runs = Promise.all([
        ...[1, 2, 3].map(() => made.ran('api')),
        ...[1, 2, 3].map(() => second.ran('api')),
      ])
      await until(() => made.guarded.sent.length === before + 6)
      release()
      for (const run of await runs) expect(run.status).toBe('completed')
      expect(refreshes(made)).toBe(1)
    } finally {
      await other.close()
    }
  })

  it('rotate: each refresh token is used once', async () => {
    for (let i = 0; i < 3; i++) await forgotten()
    expect((await made.ran('api')).status).toBe('completed')
    expect(refreshes(made)).toBe(3)
  })

  it('end with the consent where the server takes the refresh token no longer', async () => {
    await forgotten()
    made.authorization.before = (request, response) =>
      request.url === '/token'
        ? response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"error":"invalid_grant"}')
        : undefined
    for (let i = 0; i < 2; i++) {
      expect((await made.ran('api')).error?.code).toBe('needs_consent')
    }
    expect(await made.connection()).toMatchObject({
      state: 'needs_consent',
      reason: 'ended',
      token_until: null,
    })
    const notices = await store.notices.find({ type: 'connection.needs_consent' })
    expect(notices.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['asked', 'ended']))
    expect(notices).toHaveLength(2)
    made.authorization.before = undefined
    await made.consents()
    expect((await made.ran('api')).status).toBe('completed')
  })

  it('are kept while the authorization server is away', async () => {
    await forgotten()
    made.authorization.before = (request, response) =>
      request.url === '/token' ? response.writeHead(503).end() : undefined
    expect((await made.ran('api')).error?.code).toBe('consent_unusable')
    expect((await made.connection()).state).toBe('connected')
    made.authorization.before = undefined
    expect((await made.ran('api')).status).toBe('completed')
  })

  it.each<[string, number, Record<string, string>, string]>([
    ['nothing', 200, {}, ''],
    [
      'more than it may',
      200,
      { 'content-type': 'application/json' },
      `{"a":"${'x'.repeat(70_000)}"}`,
    ],
    ['no token', 200, { 'content-type': 'application/json' }, '{"token_type":"bearer"}'],
    ['a page', 200, { 'content-type': 'text/html' }, '<html>'],
    ['another place', 307, { location: 'http://127.0.0.1:1/token' }, ''],
  ])('are kept while the authorization server answers %s', async (_, status, headers, body) => {
    await forgotten()
    made.authorization.before = (request, response) =>
      request.url === '/token' ? response.writeHead(status, headers).end(body) : undefined
    expect((await made.ran('api')).error?.code).toBe('consent_unusable')
    made.authorization.before = undefined
    expect((await made.ran('api')).status).toBe('completed')
  })

  it('end where the server refuses also those that are new', async () => {
    await made.ran('api')
    made.guarded.refuses = true
    expect((await made.ran('api')).error?.code).toBe('needs_consent')
    expect(await made.connection()).toMatchObject({ state: 'needs_consent', reason: 'refused' })
    expect(refreshes(made)).toBe(1)
  })

  it('are renewed by another where the process that did so is gone', async () => {
    await forgotten()
    const { id } = await made.connection()
    const until = new Date((await store.leaseTime()).getTime() + 200).toISOString()
    const $set = { renewer: 'gone', renewer_until: until }
    await store.outbound_connections.update({ id }, { $set })
    expect((await made.ran('api')).status).toBe('completed')
  })

  it('ask for more where the server says that a scope is missing, and tell it once', async () => {
    await made.ran('api')
    const { web } = made.guarded.tools
    const api = web.answerAt('/guarded/api')
    web.on('/guarded/api', (_, response) => {
      const challenge = 'Bearer error="insufficient_scope", scope="tools more"'
      response.writeHead(403, { 'www-authenticate': challenge }).end()
    })
    for (let i = 0; i < 2; i++) {
      expect((await made.ran('api')).error?.code).toBe('needs_consent')
    }
    expect(await made.connection()).toMatchObject({
      state: 'connected',
      reason: 'more_scopes',
      scopes: ['tools', 'more'],
    })
    expect(await store.notices.count({ type: 'connection.needs_consent' })).toBe(2)
    web.on('/guarded/api', api)
    await made.consents()
    expect(await made.connection()).toMatchObject({ reason: null, state: 'connected' })
    expect((await made.ran('api')).status).toBe('completed')
  })
})
