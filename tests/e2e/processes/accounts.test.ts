import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand, startServer, type ServerProcess } from '#tests/support/process.ts'
import { until } from '#tests/support/until.ts'
import { ask, keyOf, pause } from './several.ts'

let server: ServerProcess
let key: string
beforeAll(async () => {
  server = await startServer()
  key = await keyOf(server)
})
afterAll(() => server.dispose())

const accounts = (...words: string[]) =>
  runCommand('accounts', [...words, '--json'], { DATA_DIR: server.dataDir })

it('suspends an account: its key is refused, and resumes it', async () => {
  const { id } = (await (await ask(server, '/api/account', key)).json()) as { id: string }
  const other = await keyOf(server)
  const suspended = await accounts('suspend', id)
  expect(JSON.parse(suspended.out)).toMatchObject({ id, state: 'suspended' })
  await until(async () => (await ask(server, '/api/account', key)).status === 403, pause)
  expect(await (await ask(server, '/api/runs', key)).json()).toMatchObject({
    code: 'account_suspended',
  })
  expect((await ask(server, '/api/account', other)).status).toBe(200)
  expect((await accounts('suspended')).code).toBe(64)
  expect((await accounts('resume', id)).code).toBe(0)
  await until(async () => (await ask(server, '/api/account', key)).status === 200, pause)
  const shown = JSON.parse((await accounts('show', id)).out) as { quotas: { name: string }[] }
  expect(shown).toMatchObject({ plan: 'free', state: 'active' })
  expect(shown.quotas.map(({ name }) => name)).toContain('runs_a_day')
  expect(await accounts('close', id)).toMatchObject({ code: 65, out: '' })
  expect((await ask(server, '/api/account', key)).status).toBe(200)
  expect(JSON.parse((await accounts('close', id, '--yes')).out)).toMatchObject({ state: 'closed' })
  await until(async () => (await ask(server, '/api/account', key)).status === 401, pause)
})
