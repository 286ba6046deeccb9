import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paySession } from '#adapters/payments/test/sessions.ts'
import { catalog } from '#src/catalog.ts'
import { newToken } from '#src/core/ids.ts'
import type { Order } from '#src/money/orders/order.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import { until } from '#tests/support/until.ts'

const place = '/api/public/agents/ada/tasks/portrait/orders'

describe('an order over HTTP', () => {
  let server: Serving
  let key = ''
  let made: Order
  beforeAll(async () => {
    server = await serving({ ABODE_RATE_LIMITS: 'off', ABODE_QUOTAS: 'off' }, catalog)
    key = (await post<{ api_key: string }>('/api/agent-claim', {})).api_key
    const task = {
      task_id: 'portrait',
      name: 'Portrait',
      runtime: 'template',
      prompt: 'Drawn',
      service_enabled: true,
      price_cents: 300,
    }
    const visibility = { profile_visibility: 'public' }
    const character = { id: 'ada', name: 'Ada', visibility, heart: { tasks: [task] } }
    await post('/api/characters/', character, { authorization: `Bearer ${key}` })
    made = await post<Order>(place, {})
  })
  afterAll(async () => {
    await expectBooksBalanced(server.abode.ports.store)
    await server[Symbol.asyncDispose]()
  })

  const json = { 'content-type': 'application/json' }
  const sent = (path: string, body: object, headers: Record<string, string> = {}) =>
    server.ask(path, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(body),
    })
  async function post<T>(path: string, body: object, headers = {}): Promise<T> {
    // The test says what it expects of the answer, or of the refusal.
    return (await sent(path, body, headers)).body as T
  }
  const get = (token?: string, order = made.id) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return server.ask(`/api/orders/${order}`, { headers })
  }

  test('that is to be paid is status 402, and the same again for the same key', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const first = await sent(place, {}, headers)
    expect(first.status).toBe(402)
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(first.body).toMatchObject({ code: 'payment_required', status: 'awaiting_payment' })
    const again = await sent(place, {}, headers)
    expect(again.status).toBe(402)
    const { request_id: _, ...kept } = first.body
    expect(again.body).toMatchObject(kept)
    expect(kept).toHaveProperty('token')
  })

  test('is read by its token as a bearer, and kept by no shared cache', async () => {
    const { status, body, headers } = await get(made.token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: made.id, status: 'awaiting_payment' })
    expect(headers.get('cache-control')).toBe('private, no-cache')
  })

  test('is read by its token in the address too', async () => {
    const { status } = await server.ask(`/api/orders/${made.id}?token=${made.token}`)
    expect(status).toBe(200)
  })

  test.each([
    ['without a token', () => undefined],
    ['with the token of another', () => newToken('ort')],
    ['with a key that did not order it', () => key],
    ['with a broken token', () => 'ort_x'],
  ])('is not found %s', async (_, token) => {
    const { status, body } = await get(token())
    expect(status).toBe(404)
    expect(body).toMatchObject({ code: 'order_not_found' })
  })

  test('has a token that opens nothing else', async () => {
    const headers = { authorization: `Bearer ${made.token}` }
    const { status, body } = await server.ask('/api/account', { headers })
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'invalid_credential' })
  })

  test('is rated by its token as a bearer, once it was paid and delivered', async () => {
    const { store } = server.abode.ports
    const checkout = await store.checkouts.get(made.checkout?.id ?? '')
    await paySession(server.abode.ports, checkout?.session ?? '')
    await sent(place, { checkout_id: checkout?.id })
    await until(async () => {
      const { body } = await get(made.token)
      return body.status === 'completed'
    })
    const headers = { authorization: `Bearer ${made.token}` }
    const { status, body } = await sent(`/api/orders/${made.id}/rating`, { stars: 5 }, headers)
    expect(status).toBe(200)
    expect(body).toMatchObject({ rating: { stars: 5, comment: null } })
    const again = await sent(`/api/orders/${made.id}/rating`, { stars: 5 }, headers)
    expect(again.body).toMatchObject({ code: 'already_rated' })
    const shown = await server.ask('/api/public/agents/ada/tasks')
    expect(shown.body).toMatchObject({ items: [{ rating_summary: { average: 5, count: 1 } }] })
    await until(async () => (await store.orders.count({ due_at: { $ne: null } })) === 0)
  })

  test('tells the log nothing of its token', () => {
    expect(made.token).toBeTruthy()
    expect(JSON.stringify(server.logged)).not.toContain(made.token)
  })
})
