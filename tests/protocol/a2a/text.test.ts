import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Runner } from '#src/work/runner.ts'
import { openSpoken, working, type SpokenModel } from '#tests/runs/text/spoken.ts'
import type { FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openA2a, type A2aWorld, type Shown } from '../a2a-harness.ts'

let a2a: A2aWorld
let store: Store
let clock: FakeClock
let model: SpokenModel
let worker: Runner
let key: string

beforeEach(async () => {
  const [kind] = stores()
  if (!kind) throw new Error('there is always one store')
  ;({ clock, store, model } = await openSpoken(kind))
  a2a = openA2a(store, { clock, models: model.models })
  worker = working(a2a)
  key = (await a2a.account()).key
  const heart = { tasks: [{ task_id: 't', name: 'T', prompt: 'Say it.' }] }
  await a2a.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
})
afterEach(async () => {
  await a2a.door.close()
  await worker.stop()
  await store.close()
})

test('the text of a run is appended as it comes, until the run takes its place', async () => {
  const data = { operation: 'tasks.run', params: { char_id: 'ada', task_id: 't' } }
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data }] }
  const events = a2a.stream('SendStreamingMessage', { message }, { key })
  const updated = async (): Promise<Shown> => {
    for (;;) {
      const { value, done } = await events.next()
      if (done) throw new Error('the stream has ended')
      const update: Shown | undefined = value.result?.['artifactUpdate']
      if (update) return update
    }
  }
  await events.next()
  const next = updated()
  worker.wake(1)
  await until(async () => (await store.run_texts.count({})) > 0)
  await model.say('It is ')
  await clock.advance(250)
  const artifact = { artifactId: 'output', name: 'run' }
  const first = await next
  expect(first).toMatchObject({ artifact: { ...artifact, parts: [{ text: 'It is ' }] } })
  expect(Boolean(first['append'])).toBe(false)
  await model.say('warm')
  await clock.advance(250)
  expect(await updated()).toMatchObject({
    artifact: { ...artifact, parts: [{ text: 'warm' }] },
    append: true,
  })
  await model.finish()
  let last = await updated()
  while (!last['lastChunk']) last = await updated()
  expect(last).toMatchObject({
    artifact: { ...artifact, parts: [{ data: { status: 'completed', output: 'It is warm' } }] },
  })
  expect(Boolean(last['append'])).toBe(false)
})
