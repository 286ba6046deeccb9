import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { jsonOf, request } from '#tests/protocol/a2a-harness.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { echo, openAgents, saying, talker, taskIn, think, type AgentsWorld } from './harness.ts'

let store: Store
let agents: AgentsWorld
let key: string
/** Turns of the loop that were asked for. */
let turns = 0

beforeAll(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  const clock = fakeClock()
  const turn = (): Promise<void> => {
    turns += 1
    return clock.turn()
  }
  agents = openAgents(store, { clock: { ...clock, turn } })
  key = (await agents.account()).key
  for (const [id, task] of Object.entries({ ada: echo, tom: think })) {
    await agents.ask('characters.create', { character: talker(id, [task]) }, key)
  }
})
afterAll(() => store.close())

const manyValues = { list: Array.from({ length: 40_000 }, () => ({ a: 1 })) }

/** The turns that a method takes, and what it says. */
async function turnsOf(agent: string, method: string, params: object, rawLength = 100) {
  const before = turns
  const answer = await agents.post(agent, request(method, params), { key, rawLength })
  return { taken: turns - before, said: jsonOf(answer) }
}

test.each(['ada', 'tom'])(
  'a message of many values takes a turn for each step: to %s',
  async (to) => {
    const now = { returnImmediately: true }
    const light = await turnsOf(to, 'SendMessage', saying([{ data: { a: 1 } }], {}, now))
    expect(light.taken).toBe(0)
    const sent = saying([{ data: manyValues }], {}, now)
    const { taken, said } = await turnsOf(to, 'SendMessage', sent, 400_000)
    expect(taken).toBeGreaterThanOrEqual(10)
    const { id } = taskIn(said)
    // The task shows its result, which is large too.
    expect((await turnsOf(to, 'GetTask', { id })).taken).toBe(4)
  },
)
