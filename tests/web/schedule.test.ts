import { afterAll, beforeAll, expect, it } from 'vitest'
import { registeredVisitor } from '#tests/accounts/people/page-visitor.ts'
import { call } from '#tests/support/rest/call.ts'
import type { Task } from '#src/agents/tasks/task.ts'
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

it('a task is skipped, paused, resumed and run from there, and its person stays at their days', async () => {
  const { claimUrl, reader, key } = await makeDesk(server.url, 'https://mail.example.invalid/')
  const person = await registeredVisitor(server.url)
  await person.post(new URL(claimUrl).pathname, { action: 'complete' })
  const place = `/api/characters/${reader}/tasks/sort`
  const task = () => call<Task>(server.url, 'GET', place, key)
  const sent = (action: string) =>
    person.post('/schedule', { action, agent: reader, task: 'sort', char_id: reader })
  expect((await sent('delete')).goesTo).toBe(`/schedule?char_id=${reader}`)
  expect((await sent('skip')).goesTo).toBe(`/schedule?char_id=${reader}&done=skip`)
  expect((await task()).skip_next_run_at).not.toBeNull()
  await sent('pause')
  expect(await task()).toMatchObject({ enabled: false })
  const paused = await person.get('/schedule')
  expect(paused.text).toContain('value="resume"')
  expect(paused.text).toContain(`href="/agents/${reader}/tasks/sort/edit"`)
  await sent('resume')
  expect(await task()).toMatchObject({ enabled: true })
  const form = { action: 'run', agent: reader, task: 'sort', once: '0'.repeat(32) }
  const first = await person.post('/schedule', form)
  expect(first.goesTo).toMatch(/^\/runs\/run_/)
  expect((await person.post('/schedule', form)).goesTo).toBe(first.goesTo)
  const other = await registeredVisitor(server.url)
  const foreign = await other.post('/schedule', { action: 'pause', agent: reader, task: 'sort' })
  expect(foreign.status).not.toBe(303)
  expect(await task()).toMatchObject({ enabled: true })
})
