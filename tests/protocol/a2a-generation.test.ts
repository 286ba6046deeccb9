import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { brainThat, standInModels } from '#tests/support/stand-in-models.ts'
import { stores } from '#tests/support/stores.ts'
import { message, openA2a, textIn, type A2aWorld, type Shown } from './a2a-harness.ts'

let a2a: A2aWorld
let store: Store
let key: string

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  store = await kind.open()
  a2a = openA2a(store, { models: standInModels() })
  key = (await a2a.account()).key
  const make = (id: string, more: object = {}) =>
    a2a.ask('characters.create', { character: { id, name: id, ...more } }, key)
  await make('ada')
  await make('eve', { brain: brainThat('writes') })
})
afterEach(async () => {
  await a2a.door.close()
  await store.close()
})

const asking = (params: object) => ({ operation: 'ai.generate', params })
const now = { returnImmediately: true }
const task = ({ result }: { result?: Shown }): Shown => {
  if (!result) throw new Error('there is no result')
  return result['task'] ?? result
}

test('a generation that is leased is a task that follows its run', async () => {
  const params = message(asking({ character_id: 'ada', field: 'bio', lease: true }), {}, now)
  const begun = task(await a2a.rpc1('SendMessage', params, { key }))
  const run_id = textIn(begun['metadata']?.['abode/run_id'])
  expect(begun).toMatchObject({ status: { state: 'TASK_STATE_SUBMITTED' } })
  const leased = await a2a.ask<{ lease_token: string }>('runs.lease', { char_id: 'ada' }, key)
  const { lease_token } = leased
  await a2a.ask('runs.complete', { run_id, lease_token, output: 'A bio.' }, key)
  const ended = task(await a2a.rpc1('GetTask', { id: begun['id'] }, { key }))
  expect(ended).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [
      { parts: [{ data: { output: { field: 'bio', value: 'A bio.', applied: false } } }] },
    ],
  })
  const { result } = await a2a.rpc1('ListTasks', {}, { key })
  expect(result?.['tasks']).toMatchObject([{ id: begun['id'] }])
})

test('a generation that is done at once is a task that has ended', async () => {
  const params = message(asking({ character_id: 'eve', field: 'bio' }))
  const { metadata, ...done } = task(await a2a.rpc1('SendMessage', params, { key }))
  expect(done).toMatchObject({
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ parts: [{ data: { field: 'bio', applied: false } }] }],
  })
  expect(metadata?.['abode/run_id']).toBeUndefined()
})

test('without a provider there is no task, and the error says how to do without', async () => {
  const params = message(asking({ character_id: 'ada', field: 'bio' }))
  const { error } = await a2a.rpc1('SendMessage', params, { key })
  expect(JSON.stringify(error)).toContain('lease: true')
})
