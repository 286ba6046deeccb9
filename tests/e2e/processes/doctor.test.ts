import { createServer } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand, startServer, type ServerProcess } from '#tests/support/process.ts'

interface Told {
  ok: boolean
  items: { of: string; state: string; says: string; advice?: string }[]
}

let server: ServerProcess
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.dispose())

async function doctor(env: Record<string, string>) {
  const { out, err, code } = await runCommand('doctor', ['--json'], env)
  if (out === '') throw new Error(err)
  // The command has written it.
  const { ok, items } = JSON.parse(out) as Told
  return { code, ok, items, states: new Map(items.map(({ of, state }) => [of, state])) }
}

it('finds everything well next to a server as it should be', async () => {
  const { dataDir: DATA_DIR, url: PUBLIC_URL } = server
  const { code, ok, states } = await doctor({ DATA_DIR, PUBLIC_URL })
  expect([code, ok]).toEqual([0, true])
  for (const of of ['node', 'settings', 'store', 'master key', 'PUBLIC_URL', 'clock', 'sandbox']) {
    expect([of, states.get(of)]).toEqual([of, 'ok'])
  }
})

it('says what is wrong, and what to do', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const address = closed.address()
  const port = typeof address === 'object' ? address?.port : undefined
  closed.close()
  const nowhere = `http://127.0.0.1:${port}`
  const settings = { OPENAI_API_KEY: 'sk-none', OPENAI_BASE_URL: nowhere, PUBLIC_URL: nowhere }
  const told = await doctor({ DATA_DIR: `${server.dataDir}/none`, ...settings })
  expect([told.code, told.ok]).toEqual([1, false])
  expect(Object.fromEntries(told.states)).toMatchObject({
    store: 'warn',
    PUBLIC_URL: 'warn',
    OPENAI_BASE_URL: 'fail',
  })
  for (const { state, advice } of told.items) expect(advice === undefined).toBe(state === 'ok')
  // A model at an address of the operator's own may need no key.
  const keyless = await doctor({ DATA_DIR: server.dataDir, OPENAI_BASE_URL: nowhere })
  expect(keyless.states.get('OPENAI_BASE_URL')).toBe('fail')
  const faulty = await doctor({ PORT: 'eighty' })
  expect(faulty.code).toBe(78)
  expect(faulty.items.find(({ of }) => of === 'settings')?.says).toContain('PORT')
})
