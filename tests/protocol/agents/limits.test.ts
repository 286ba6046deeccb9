import { afterEach, expect, test } from 'vitest'
import type { LimitTable } from '#src/core/admission/limits.ts'
import type { Store } from '#src/ports/store.ts'
import { admitted } from '#adapters/compose/admitted.ts'
import { bodyOf } from '#tests/protocol/a2a-harness.ts'
import { stores } from '#tests/support/stores.ts'
import { echo, openAgents, saying, talker, type AgentsWorld } from './harness.ts'

let agents: AgentsWorld
let store: Store

afterEach(async () => {
  await agents.doors.close()
  await store.close()
})

async function open(limits: LimitTable): Promise<string> {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  agents = openAgents(store, { limits, admit: (who) => admitted(agents.ports, who) })
  const { key } = await agents.account()
  await agents.ask('characters.create', { character: talker('ada', [echo]) }, key)
  return key
}

const minute = (count: number) => ({ count, seconds: 60 })
const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

test('messages without a credential are counted by their network, and refused by HTTP', async () => {
  await open({ writes: minute(2) })
  const send = (address: string) =>
    agents.post('ada', request('SendMessage', saying('x')), { address })
  for (let i = 0; i < 2; i++) expect((await send('192.0.2.0')).status).toBe(200)
  const refused = await send('192.0.2.0')
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
  expect(bodyOf(refused).error).toMatchObject({ data: { code: 'rate_limited' } })
  expect((await send('198.51.100.0')).status).toBe(200)
})

test('messages with a key are counted for its account, and refused in band', async () => {
  await open({ writes: minute(3) })
  const { key } = await agents.account()
  const send = () => agents.rpc('ada', 'SendMessage', saying('x'), { key })
  for (let i = 0; i < 3; i++) expect((await send()).error).toBeUndefined()
  expect((await send()).error).toMatchObject({ code: 429 })
})

test('reading, and what is no request, are counted as reads', async () => {
  await open({ anonymous_reads: minute(3) })
  const get = () => agents.post('ada', request('GetTask', { id: 'run_x' }))
  expect(bodyOf(await get()).error).toMatchObject({ code: -32001 })
  expect(bodyOf(await agents.post('ada', request('SendMessage', {}))).error).toMatchObject({
    code: -32602,
  })
  expect(bodyOf(await agents.post('ada', {})).error).toMatchObject({ code: -32600 })
  expect((await get()).status).toBe(429)
})
