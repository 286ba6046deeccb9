import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { batchOf, message, openA2a, textIn, type A2aWorld } from '#tests/protocol/a2a-harness.ts'
import { oneStore } from '#tests/support/stores.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'

const bio = 'x'.repeat(900_000)
const characters = 8 * 2 ** 20

let a2a: A2aWorld
let store: Store
let clock: FakeClock
let key: string

beforeEach(async () => {
  const [kind] = oneStore()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  clock = fakeClock()
  a2a = openA2a(store, { clock })
  key = (await a2a.account()).key
  await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada', bio } }, key)
})
afterEach(async () => {
  await a2a.door.close()
  await store.close()
})

const call = (id: number | undefined, method: string, params: object) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method,
  params,
})
const read = (id: number) => call(id, 'characters.get', { char_id: 'ada' })
const named = (id: number | undefined, name: string) =>
  call(id, 'characters.create', { character: { id: name, name } })

test('a batch ends where its answers fill it, and does nothing more', async () => {
  const batch = [
    ...Array.from({ length: 20 }, (_, n) => read(n)),
    named(20, 'bob'),
    named(undefined, 'eve'),
  ]
  const answer = await a2a.post(batch, { key })
  const answers = batchOf(answer)
  expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, n) => n))
  const refused = answers.filter(({ error }) => error)
  expect(refused).toHaveLength(11)
  expect(refused.at(-1)).toMatchObject({
    id: 20,
    error: { code: 413, data: { code: 'payload_too_large' } },
  })
  expect(JSON.stringify(answers).length).toBeLessThan(characters + 1_100_000)
  // What was refused was not done; a notification asks for no room.
  expect(await store.characters.get('bob')).toBeUndefined()
  expect(await store.characters.get('eve')).toBeDefined()
})

test('the entries of a batch do not wait for one that waits', async () => {
  await a2a.ask(
    'tasks.create',
    { char_id: 'ada', task: { task_id: 'think', name: 'Think', prompt: 'x' } },
    key,
  )
  const run = message({ operation: 'tasks.run', params: { char_id: 'ada', task_id: 'think' } })
  const batch = [call(0, 'SendMessage', run), named(1, 'bob')]
  const posted = a2a.post(batch, { key, headers: { 'a2a-version': '1.0' } })
  while (a2a.ports.waiting.keys().length === 0) await new Promise((turn) => setImmediate(turn))
  await clock.advance(300)
  while (!(await store.characters.get('bob'))) await new Promise((turn) => setImmediate(turn))
  await clock.advance(60_000)
  const [waited, made] = batchOf(await posted)
  expect(textIn(waited?.result?.['task']?.['status']?.['state'])).toBe('TASK_STATE_SUBMITTED')
  expect(made?.result).toMatchObject({ id: 'bob' })
})
