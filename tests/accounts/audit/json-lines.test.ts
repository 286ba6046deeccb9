import { expect, test } from 'vitest'
import { catalog } from '#src/catalog.ts'
import { serving } from '#tests/adapters/serve.ts'
import { brokenAt } from './chain.ts'

test('what was changed is answered as JSON lines where they are asked for', async () => {
  await using server = await serving({ ABODE_QUOTAS: 'off' }, catalog)
  const made = await server.ask('/api/agent-claim', { method: 'POST' })
  const { api_key } = JSON.parse(made.text) as { api_key: string }
  const authorization = `Bearer ${api_key}`
  for (const name of ['a', 'b', 'c']) {
    const headers = { authorization, 'content-type': 'application/json' }
    const body = JSON.stringify({ name })
    await server.ask('/api/api-keys/', { method: 'POST', headers, body })
  }
  const audit = (accept: string, query: string) =>
    server.ask(`/api/account/audit?order=oldest&${query}`, { headers: { authorization, accept } })
  const lines = await audit('application/x-ndjson', 'limit=2')
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  const cursor = lines.headers.get('next-cursor') ?? ''
  const rest = await audit('application/x-ndjson', `limit=2&cursor=${cursor}`)
  expect(rest.headers.get('next-cursor')).toBeNull()
  const whole = lines.text + rest.text
  expect(whole.trimEnd().split('\n')).toHaveLength(3)
  expect(brokenAt(whole)).toBeUndefined()
  const asJson = await audit('application/json, application/x-ndjson;q=0.5', 'limit=2')
  expect(JSON.parse(asJson.text)).toMatchObject({ items: [{ seq: 1 }, { seq: 2 }] })
  const refused = await audit('application/x-ndjson', 'cursor=broken')
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    400,
    expect.stringContaining('application/json'),
  ])
  // A list that has no such form has none.
  const inbox = { headers: { authorization, accept: 'application/x-ndjson' } }
  expect((await server.ask('/api/account/inbox', inbox)).status).toBe(406)
})
