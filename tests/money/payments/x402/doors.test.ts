import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { openapi } from '#src/documents/openapi.ts'
import { serving, type Serving } from '#tests/adapters/serve.ts'
import { expectBooksBalanced } from '#tests/support/books.ts'
import {
  paymentOf,
  signedPayment,
  startFacilitator,
  type StandInFacilitator,
} from '#tests/support/facilitator.ts'
import { until } from '#tests/support/until.ts'

const cents = 250
const path = '/api/public/agents/ada/tasks/poem/orders'
const form = { about: 'rain' }

let chain: StandInFacilitator
let server: Serving
let key = ''

beforeAll(async () => {
  chain = await startFacilitator()
  const ABODE_X402 = JSON.stringify(chain.terms)
  server = await serving({ ABODE_X402, ABODE_RATE_LIMITS: 'off', ABODE_QUOTAS: 'off' }, catalog)
  key = (await json('/api/agent-claim', {})).api_key as string
  const task = {
    task_id: 'poem',
    name: 'Poem',
    runtime: 'template',
    prompt: 'A poem about {{about}}.',
    service_enabled: true,
    price_cents: cents,
  }
  const visibility = { profile_visibility: 'public' }
  await json('/api/characters/', { id: 'ada', name: 'Ada', visibility, heart: { tasks: [task] } })
})
afterAll(async () => {
  await expectBooksBalanced(server.abode.ports.store)
  await server[Symbol.asyncDispose]()
  chain.close()
})

type Members = Record<string, unknown>

async function sent(to: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + to, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // What an answer holds is for each test to say.
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Members,
  }
}

async function json(to: string, body: unknown): Promise<Members> {
  const answer = await sent(to, body, key === '' ? {} : { authorization: `Bearer ${key}` })
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
  return answer.body
}

const payment = (version: 1 | 2 = 1) => signedPayment(chain.terms, cents, { version })

async function delivered({ id, token }: Members): Promise<void> {
  await until(
    async () => {
      const headers = { authorization: `Bearer ${String(token)}` }
      const { body } = await server.ask(`/api/orders/${String(id)}`, { headers })
      return body.status === 'completed'
    },
    { pauseMs: 20 },
  )
}

const unpaid = {
  code: 'payment_required',
  status: 'awaiting_payment',
  price_cents: cents,
  currency: 'usd',
  checkout: { status: 'open' },
  x402Version: 1,
  accepts: [{ network: 'base', maxAmountRequired: '2500000' }],
}

describe('an order that is to be paid, over REST', () => {
  it('is 402 with the order, its checkout, and what x402 may pay', async () => {
    const { status, headers, body } = await sent(path, { form })
    expect(status).toBe(402)
    expect(body).toMatchObject({ ...unpaid, title: 'Poem' })
    expect(body['token']).toMatch(/^ort_/)
    expect(body['detail']).toContain('250 cents (usd)')
    expect(body['request_id']).toBe(headers.get('x-request-id'))
    const asked = Buffer.from(headers.get('payment-required') ?? '', 'base64').toString()
    expect(JSON.parse(asked)).toEqual(body['x402'])
    expect(headers.get('access-control-expose-headers')).toContain('PAYMENT-REQUIRED')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('is a problem of its own form where that is asked for', async () => {
    const { body } = await sent(path, { form }, { accept: 'application/problem+json' })
    // Members of the order by these names would not mean what they do in a problem.
    expect(body).toMatchObject({ type: 'about:blank', title: 'Payment Required', status: 402 })
    expect(body).toMatchObject({ code: 'payment_required', accepts: unpaid.accepts })
  })

  it.each([
    ['X-PAYMENT', 1],
    ['PAYMENT-SIGNATURE', 2],
  ] as const)('is paid by the header %s', async (name, version) => {
    const { status, body } = await sent(path, { form }, { [name]: payment(version) })
    expect(status).toBe(202)
    expect(body).toMatchObject({ paid_by: 'x402' })
    await delivered(body)
  })

  it('may be asked for and paid under one idempotency key, and answers each again', async () => {
    const name = { 'idempotency-key': 'one-order-of-a-poem-about-rain' }
    const asked = await sent(path, { form }, name)
    expect(asked.status).toBe(402)
    expect((await sent(path, { form }, name)).body).toMatchObject({ id: asked.body['id'] })
    const paying = { ...name, 'PAYMENT-SIGNATURE': payment(2) }
    const paid = await sent(path, { form }, paying)
    expect(paid.status).toBe(202)
    const again = await sent(path, { form }, paying)
    expect(again).toMatchObject({
      status: 202,
      body: { id: paid.body['id'], token: paid.body['token'] },
    })
    const other = await sent(path, { form }, { ...name, 'PAYMENT-SIGNATURE': payment(2) })
    expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } })
    await delivered(paid.body)
  })

  it('says 402 again to a payment that was not taken, and 409 to one that was used', async () => {
    const poor = signedPayment(chain.terms, cents, { value: '1' })
    const declined = await sent(path, { form }, { 'X-PAYMENT': poor })
    expect(declined).toMatchObject({ status: 402, body: unpaid })
    expect(declined.body['detail']).toBe('The payment was not taken. Its amount is different.')
    const used = payment()
    await delivered((await sent(path, { form }, { 'X-PAYMENT': used })).body)
    expect(await sent(path, { form }, { 'X-PAYMENT': used })).toMatchObject({
      status: 409,
      body: { code: 'payment_used' },
    })
  })

  it.each([
    'x',
    'bm90IGpzb24=',
    Buffer.from('{}').toString('base64'),
    Buffer.from('null').toString('base64'),
    Buffer.from('[1]').toString('base64'),
    Buffer.from('{"x402Version":3}').toString('base64'),
    'A'.repeat(8193),
  ])('says 422 to what is no payment: %.40s', async (header) => {
    const { status, body } = await sent(path, { form }, { 'X-PAYMENT': header })
    expect([status, body['code']]).toEqual([422, 'invalid_input'])
    expect(body['errors']).toMatchObject([{ pointer: '/payment' }])
  })

  it('is not paid for in two ways', async () => {
    const { checkout } = (await sent(path, { form })).body
    const { id } = checkout as { id: string }
    const both = await sent(path, { checkout_id: id }, { 'X-PAYMENT': payment() })
    expect(both).toMatchObject({ status: 422, body: { errors: [{ pointer: '/payment' }] } })
  })

  it('lets pages of other origins send a payment', async () => {
    const { headers } = await server.ask(path, { method: 'OPTIONS' })
    const admitted = headers.get('access-control-allow-headers') ?? ''
    expect(admitted.split(', ')).toEqual(expect.arrayContaining(['PAYMENT-SIGNATURE', 'X-PAYMENT']))
  })
})

interface Result {
  isError?: boolean
  content: { text: string }[]
  _meta: Members
  structuredContent?: Members
}

describe('an order that is to be paid, as a tool of MCP', () => {
  const called = async (input: object, meta: object = {}) => {
    const revision = '2026-07-28'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    }
    const name = 'orders_create'
    const params = { name, arguments: { char_id: 'ada', task_id: 'poem', ...input }, _meta }
    const headers = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    }
    const { body } = await sent(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      headers,
    )
    return body['result'] as Result
  }

  it('is an error that holds the order, in its text and its metadata', async () => {
    const result = await called({ form })
    expect(result.isError).toBe(true)
    expect(result._meta['abode/error']).toMatchObject(unpaid)
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual(result._meta['abode/error'])
  })

  it('is paid by an argument', async () => {
    const { structuredContent = {} } = await called({ form, payment: payment(2) })
    expect(structuredContent).toMatchObject({ paid_by: 'x402' })
    await delivered(structuredContent)
  })

  it('is paid in the metadata of the call, as clients of x402 do', async () => {
    const metadata = { 'x402/payment': paymentOf(chain.terms, cents, { version: 2 }) }
    const { structuredContent = {} } = await called({ form }, metadata)
    expect(structuredContent).toMatchObject({ paid_by: 'x402' })
    await delivered(structuredContent)
    const used = await called({ form }, metadata)
    expect(used._meta['abode/error']).toMatchObject({ code: 'payment_used' })
    const broken = await called({ form }, { 'x402/payment': 7 })
    expect(broken._meta['abode/error']).toMatchObject({ code: 'invalid_input' })
  })
})

describe('an order that is to be paid, over A2A', () => {
  const params = { char_id: 'ada', task_id: 'poem', form }
  const rpc = async (method: string, body: object) =>
    (await sent('/a2a', { jsonrpc: '2.0', id: 1, method, params: body }, { 'a2a-version': '1.0' }))
      .body

  it('is the error 402 of a direct method, whose data is the error object', async () => {
    const { error } = await rpc('orders.create', params)
    expect(error).toMatchObject({ code: 402, data: unpaid })
  })

  it('is paid by a member of the params', async () => {
    const { result } = await rpc('orders.create', { ...params, payment: payment() })
    expect(result).toMatchObject({ paid_by: 'x402' })
    await delivered(result as Members)
  })

  it('fails as the task of a message, with the error object as its data', async () => {
    const parts = [{ data: { operation: 'orders.create', params } }]
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts }
    const { result } = await rpc('SendMessage', { message })
    const { status } = (
      result as { task: { status: { state: string; message: { parts: { data?: Members }[] } } } }
    ).task
    expect(status.state).toBe('TASK_STATE_FAILED')
    expect(status.message.parts[0]?.data).toMatchObject(unpaid)
  })
})

describe('the OpenAPI document', () => {
  it('shows what a 402 holds, and the headers on both sides', () => {
    // What is published is JSON, and is read as such.
    const document = JSON.parse(JSON.stringify(openapi(catalog, server.url))) as {
      paths: Record<
        string,
        {
          post: { parameters: Members[]; responses: Record<string, { $ref?: string }> }
        }
      >
      components: {
        responses: Record<string, { headers: Members; content: Members }>
        schemas: Record<string, { properties: Members; required: string[] }>
      }
    }
    const { parameters, responses } =
      document.paths['/api/public/agents/{char_id}/tasks/{task_id}/orders']?.post ?? {}
    const names = parameters?.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['PAYMENT-SIGNATURE', 'X-PAYMENT']))
    const { $ref = '' } = responses?.['402'] ?? {}
    const unpaidResponse = document.components.responses[$ref.split('/').at(-1) ?? '']
    expect(unpaidResponse?.headers).toHaveProperty('PAYMENT-REQUIRED')
    expect(JSON.stringify(unpaidResponse?.content)).toContain('orders_create_unpaid')
    const schema = document.components.schemas['orders_create_unpaid']
    const members = Object.keys(schema?.properties ?? {})
    expect(members).toEqual(
      expect.arrayContaining(['detail', 'code', 'id', 'token', 'checkout', 'accepts', 'x402']),
    )
  })
})
