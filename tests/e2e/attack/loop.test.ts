import { afterAll, beforeAll, expect, test } from 'vitest'
import { loopAttacks, stallOf, type Target } from '#tests/attack/loop.ts'
import { startServer, type ServerProcess } from '#tests/support/process.ts'

let server: ServerProcess
let target: Target

beforeAll(async () => {
  server = await startServer({
    env: { ABODE_METRICS: 'on', ABODE_RATE_LIMITS: 'off', ABODE_WARM_UP: 'on' },
  })
  const response = await fetch(`${server.url}/api/agent-claim`, { method: 'POST' })
  // The answer of agent_claim.create.
  const { api_key: key } = (await response.json()) as { api_key: string }
  target = { url: server.url, key }
})
afterAll(() => server.dispose())

const answers: Readonly<Record<string, readonly number[]>> = {
  '60,000 unknown members': [201, 400, 413, 422],
  '200,000 wrong items': [400, 413, 422],
  'twenty simulations at once': [429],
  'a picture of 1 x 24,000,000 pixels': [422],
  'a template of names and blanks': [200],
}

// `npm run attack` measures how long each held the loop; here other tests run at the same time.
test.each(Object.entries(loopAttacks))(
  '%s is answered, and so is the next caller',
  async (name, attack) => {
    const { status } = await stallOf(target, () => attack(target))
    expect([name, answers[name]?.includes(status), status]).toEqual([name, true, status])
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect(server.child.exitCode).toBeNull()
  },
)
