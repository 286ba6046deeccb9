import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving, type Serving } from '../serve.ts'

const secret = 'a secret of the tests'
const mac = (text: string): Buffer => createHmac('sha256', secret).update(text).digest()
const now = (): string => String(Math.floor(Date.now() / 1000))

/** The headers that each sender sends with a body. */
const headersOf = {
  github: (body) => ({ 'X-Hub-Signature-256': `sha256=${mac(body).toString('hex')}` }),
  stripe(body) {
    const t = now()
    return { 'Stripe-Signature': `t=${t},v1=${mac(`${t}.${body}`).toString('hex')}` }
  },
  slack(body) {
    const t = now()
    const signature = `v0=${mac(`v0:${t}:${body}`).toString('hex')}`
    return { 'X-Slack-Request-Timestamp': t, 'X-Slack-Signature': signature }
  },
  standard(body) {
    const [t, id] = [now(), `msg_${body.length}`]
    const signature = `v1,${mac(`${id}.${t}.${body}`).toString('base64')}`
    return { 'webhook-id': id, 'webhook-timestamp': t, 'webhook-signature': signature }
  },
} satisfies Record<string, (body: string) => Record<string, string>>
const names = Object.keys(headersOf) as (keyof typeof headersOf)[]

let server: Serving

beforeAll(async () => {
  server = await serving({ ABODE_RATE_LIMITS: 'off', ABODE_QUOTAS: 'off' }, catalog)
  const claim = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  const { api_key } = (await claim.json()) as { api_key: string }
  const tasks = names.map((verify) => ({
    task_id: verify,
    name: verify,
    runtime: 'template',
    triggers: [{ type: 'webhook', config: { path: verify, verify, secret } }],
  }))
  const made = await fetch(`${server.url}/api/characters/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'ada', name: 'Ada', heart: { tasks } }),
  })
  expect(await made.json()).not.toHaveProperty('warnings')
})
afterAll(() => server[Symbol.asyncDispose]())

async function call(path: string, body: string, headers: Record<string, string>) {
  const at = `${server.url}/api/hooks/ada/${path}`
  const sent = { 'content-type': 'application/json', ...headers }
  const response = await fetch(at, { method: 'POST', headers: sent, body })
  return { status: response.status, body: (await response.json()) as { runs?: string[] } }
}

describe.each(names)('a hook of %s over HTTP', (name) => {
  const headers = headersOf[name]

  it('takes its signature, and answers a repeat with the same run', async () => {
    const body = '{ "order": 17 }'
    const sent = headers(body)
    const first = await call(name, body, sent)
    expect(first).toEqual({ status: 202, body: { runs: [expect.any(String)] } })
    expect(await call(name, body, sent)).toEqual(first)
  })

  it('refuses it over other bytes, none at all, and that of the service', async () => {
    const service = { 'X-Service-Signature': mac('{"order":18}').toString('hex') }
    for (const sent of [headers('{"order": 18}'), {}, service]) {
      const refused = await call(name, '{"order":18}', sent)
      expect(refused).toMatchObject({ status: 401, body: { code: 'signature_invalid' } })
    }
  })

  it('has room for a large body, as only a signed call has', async () => {
    const body = JSON.stringify({ text: 'long '.repeat(16_000) })
    expect((await call(name, body, headers(body))).status).toBe(202)
    expect((await call(name, body, {})).status).toBe(413)
  })
})

it('of Slack answers what it asks for at first', async () => {
  const asked = JSON.stringify({ type: 'url_verification', challenge: 'said again' })
  expect(await call('slack', asked, headersOf.slack(asked))).toEqual({
    status: 200,
    body: { runs: [], challenge: 'said again' },
  })
})
