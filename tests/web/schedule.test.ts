import { afterAll, beforeAll, expect, it } from 'vitest'
import { registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'
import { makeDesk } from './desk.ts'

let server: ServerProcess
beforeAll(async () => {
  server = await startServer({ env: { ABODE_RATE_LIMITS: 'off' } })
})
afterAll(() => server.dispose())

it('the schedule shows the days around today, those before, and no agent of another account', async () => {
  const { claimUrl, reader } = await makeDesk(server.url, 'https://mail.example.invalid/')
  const person = await registeredVisitor(server.url)
  await person.post(new URL(claimUrl).pathname, { action: 'complete' })
  const page = await person.get('/schedule')
  expect([page.status, page.text.match(/<h1/g)?.length]).toEqual([200, 1])
  expect(page.text).toContain('Sort the mail')
  expect(page.text).toContain(`/agents/${reader}/tasks/sort`)
  const earlier = /href="([^"]*\/schedule\?[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
  expect((await person.get(earlier ?? '')).status).toBe(200)
  expect((await person.get(`/schedule?char_id=${reader}`)).status).toBe(200)
  expect((await person.get('/schedule?from=soon')).status).toBe(422)
  const other = await registeredVisitor(server.url)
  expect((await other.get(`/schedule?char_id=${reader}`)).status).toBe(404)
})
