import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import type { Operation } from '#src/core/operation.ts'
import { restDoor } from '#tests/operations/doors/doors.ts'
import { askerOf } from '#tests/support/world.ts'
import { registered, serve, type Served } from './browser.ts'

const pathOf = (op: Operation): string => op.http.path.replaceAll(/\{(\w+)\}/g, 'nothing')
const keyed = catalog.filter(({ auth }) => auth === 'key')
const changes = catalog.filter(({ auth, http }) => auth !== 'none' && http.method !== 'GET')
const foreignOrigins = (url: string): Record<string, string | null> => ({
  missing: null,
  'that of another site': 'https://evil.example',
  null: 'null',
  'of another port': `http://${new URL(url).hostname}:${Number(new URL(url).port) ^ 1}`,
  'with ours at its end': `http://evil.example/${url}`,
  'with ours at its beginning': `${url}.evil.example`,
  'with ours for a user': `http://${new URL(url).host}@evil.example`,
})

describe('a session', () => {
  let served: Served
  let cookie: string
  let account_id: string
  beforeAll(async () => {
    served = await serve()
    const made = await registered(served)
    cookie = made.cookie
    account_id = made.account_id
  })
  afterAll(() => served.close())

  /** The account of an agent that the person with the cookie has claimed. */
  const claimed = async (): Promise<{ id: string; key: string }> => {
    const { body } = await served.send('POST', '/api/agent-claim', { body: {} })
    const claim_code = String(body.claim_url).split('/').at(-1)
    await served.send('POST', '/api/agent-claim/complete', { cookie, body: { claim_code } })
    const { id } = await askerOf(served.abode.core).ask<{ id: string }>(
      'account.get',
      {},
      String(body.api_key),
    )
    return { id, key: String(body.api_key) }
  }

  it('reaches every operation that a key does, for the own account and for a claimed one', async () => {
    const { id } = await claimed()
    const door = restDoor(served.url)
    const refused = ['unauthenticated', 'invalid_credential', 'scope_forbidden', 'person_needed']
    for (const accountId of [undefined, id]) {
      for (const op of keyed) {
        const session = cookie.split('=')[1]
        const { error } = await door({
          op,
          input: op.example,
          credential: undefined,
          session,
          accountId,
        })
        expect([...refused, 'origin_mismatch', 'internal_error'], op.name).not.toContain(
          error?.code,
        )
      }
    }
  })

  it('gives a key that is sent along with it no more rights', async () => {
    const { key } = await claimed()
    const { ask } = askerOf(served.abode.core)
    await ask('characters.create', { character: { id: 'bound', name: 'B' } }, key)
    const wanted = { name: 'k', scope_char_id: 'bound' }
    const scoped = (await ask<{ key: string }>('api_keys.create', wanted, key)).key
    const door = restDoor(served.url)
    for (const op of keyed) {
      const session = cookie.split('=')[1]
      const { error } = await door({ op, input: op.example, credential: scoped, session })
      if (op.scope === 'agent') expect(error?.code, op.name).not.toBe('scope_forbidden')
      else expect(error?.code, op.name).toBe('scope_forbidden')
    }
  })

  it('makes changes only for pages of this server, in every changing operation', async () => {
    expect(new Set(changes.map(({ http }) => http.method))).toEqual(
      new Set(['POST', 'PUT', 'PATCH', 'DELETE']),
    )
    for (const op of changes) {
      const sent = { cookie, origin: 'https://evil.example', body: {} }
      const heard = await served.send(op.http.method, pathOf(op), sent)
      expect([heard.status, heard.code], op.name).toEqual([403, 'origin_mismatch'])
      expect(heard.body.hint).toContain(served.url)
    }
  })

  it.each(Object.keys(foreignOrigins('http://127.0.0.1:1')))(
    'changes nothing with an origin that is %s',
    async (which) => {
      const origin = foreignOrigins(served.url)[which] ?? null
      for (const [method, path] of [
        ['POST', '/api/api-keys/'],
        ['PUT', '/api/characters/nothing'],
        ['PATCH', '/api/commons/threads/nothing'],
        ['DELETE', '/api/api-keys/nothing'],
        ['POST', '/api/auth/logout'],
      ] as const) {
        const { code } = await served.send(method, path, { cookie, origin, body: { name: 'x' } })
        expect(code, method).toBe('origin_mismatch')
      }
      // The server listens for its own machine: pages of others get nothing there by a credential.
      const read = await served.send('GET', '/api/account', { cookie, origin })
      // A page of this machine, or no page at all, is not foreign.
      const status = ['missing', 'of another port'].some((own) => which.endsWith(own)) ? 200 : 403
      expect(read.status).toBe(status)
      expect((await served.send('HEAD', '/api/account', { cookie, origin })).status).toBe(status)
      const { items } = (await served.send('GET', '/api/api-keys/', { cookie })).body
      expect(items).toEqual([])
    },
  )

  it('makes them for the name that the browser knows the server by', async () => {
    const { port } = new URL(served.url)
    const { send } = served
    const origin = `http://localhost:${port}`
    const named = await send('POST', '/api/auth/logout', { origin, cookie: 'abode_session=x' })
    // Fetch sends the host of the address that it calls.
    expect(named.code).toBe('origin_mismatch')
    const url = served.url.replace('127.0.0.1', 'localhost')
    const response = await fetch(`${url}/api/auth/logout`, {
      method: 'POST',
      headers: { origin, cookie: 'abode_session=x' },
    })
    expect(response.status).toBe(401)
  })

  it('is begun by no page of others, with or without a cookie', async () => {
    const body = { email: 'eve@example.org', password: 'a few words in a row' }
    for (const origin of ['https://evil.example', 'null']) {
      for (const way of ['register', 'login']) {
        const heard = await served.send('POST', `/api/auth/${way}`, { body, origin })
        expect([heard.status, heard.code, heard.kept]).toEqual([403, 'origin_mismatch', undefined])
      }
    }
    const bare = await served.send('POST', '/api/auth/register', { body, origin: null })
    expect(bare.status, 'a program names no origin').toBe(201)
  })

  it('needs no origin along with a key, which alone counts', async () => {
    const { id, key } = await claimed()
    const headers = { authorization: `Bearer ${key}` }
    const sent = { cookie, headers }
    expect((await served.send('GET', '/api/account', sent)).body.id).toBe(id)
    const body = { name: 'By key' }
    expect((await served.send('POST', '/api/api-keys/', { ...sent, body })).status).toBe(201)
    const wrong = { ...sent, headers: { authorization: 'Bearer ab_wrong' } }
    expect((await served.send('GET', '/api/account', wrong)).code).toBe('invalid_credential')
    const basic = { ...sent, headers: { authorization: 'Basic YTpi' } }
    expect((await served.send('GET', '/api/account', basic)).status).toBe(401)
    expect((await served.send('POST', '/api/auth/logout', sent)).code).toBe('person_needed')
  })

  it('acts for an account that is held, and for no other', async () => {
    const { id } = await claimed()
    const stranger = await registered(served)
    const as = (account: string) => ({ cookie, headers: { 'abode-account': account } })
    const own = await served.send('GET', '/api/account', { cookie })
    expect(own.body).toMatchObject({ id: account_id, kind: 'person', claimed: true, key: null })
    for (const [account, seen] of [
      [id, id],
      [account_id, account_id],
      ['', account_id],
    ] as const) {
      expect((await served.send('GET', '/api/account', as(account))).body.id).toBe(seen)
    }
    for (const account of [stranger.account_id, 'acc_none', `${id}, ${account_id}`, '../x']) {
      const read = await served.send('GET', '/api/account', as(account))
      expect([read.status, read.code]).toEqual([403, 'forbidden'])
      const write = { ...as(account), body: { name: 'x' } }
      expect((await served.send('POST', '/api/api-keys/', write)).status).toBe(403)
    }
    const me = await served.send('GET', '/api/auth/me', as(id))
    expect(me.body.account_id).toBe(id)
  })

  it('keeps the answers of its accounts apart, and those of another session', async () => {
    const { id } = await claimed()
    const make = async (sent: { cookie: string; headers?: Record<string, string> }) => {
      const headers = { ...sent.headers, 'idempotency-key': 'one-key' }
      const { body } = await served.send('POST', '/api/api-keys/', {
        ...sent,
        headers,
        body: { name: 'K' },
      })
      return body.id
    }
    const own = await make({ cookie })
    const held = await make({ cookie, headers: { 'abode-account': id } })
    expect(held).not.toBe(own)
    expect(await make({ cookie })).toBe(own)
    expect(await make({ cookie, headers: { 'abode-account': id } })).toBe(held)
    expect((await served.abode.ports.store.api_keys.get(String(held)))?.account_id).toBe(id)
    const other = await registered(served)
    expect(await make({ cookie: other.cookie })).not.toBe(own)
  })

  it('uploads files from pages of this server', async () => {
    const form = () => {
      const sent = new FormData()
      sent.append('file', new Blob(['{"name":"Brought"}'], { type: 'application/json' }), 'a.json')
      return sent
    }
    const path = '/api/characters/import'
    const foreign = { cookie, body: form(), origin: 'https://evil.example' }
    expect((await served.send('POST', path, foreign)).code).toBe('origin_mismatch')
    const heard = await served.send('POST', path, { cookie, body: form() })
    expect(heard.status, JSON.stringify(heard.body)).toBeLessThan(300)
    expect(heard.body).toMatchObject({ name: 'Brought', owner_id: account_id })
    const other = { cookie, body: form(), headers: { 'abode-account': 'acc_none' } }
    expect((await served.send('POST', path, other)).code).toBe('forbidden')
    const ended = { cookie: 'abode_session=abs_x', body: form() }
    expect((await served.send('POST', path, ended)).code).toBe('invalid_credential')
  })

  it('writes nothing in the Commons, and says how one does', async () => {
    const body = { board: 'ask', title: 'A title', body: 'A body of some length.' }
    const heard = await served.send('POST', '/api/commons/threads', { cookie, body })
    expect([heard.status, heard.code]).toEqual([403, 'forbidden'])
    expect(heard.body.hint).toMatch(/scope_char_id.*Commons handle/)
    const read = await served.send('GET', '/api/commons/threads', { cookie })
    expect(read.status).toBe(200)
  })
})
