import { expect, test } from 'vitest'
import { startWork } from '#src/work/work.ts'
import type { Run } from '#src/runs/run.ts'
import { openWorld } from '#tests/support/world.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'

test.each(stores())('runs of a suspended account wait, and go on after on $name', async (kind) => {
  const store = await kind.open()
  const world = openWorld(store)
  const { key, id } = await world.account()
  await world.ask('characters.create', { id: 'ada', name: 'Ada' }, key)
  const task = {
    char_id: 'ada',
    task_id: 't',
    name: 'T',
    runtime: 'api',
    api_url: 'https://a.example/',
  }
  await world.ask('tasks.create', task, key)
  const run: Run = await world.ask('tasks.run', { char_id: 'ada', task_id: 't' }, key)
  await store.accounts.update({ id }, { $set: { suspended_at: run.created_at } })
  let work = startWork(world.ports, ['runner'], 2)
  try {
    await until(async () => (await store.runs.get(run.id))?.waits_for === 'room')
    expect((await store.runs.get(run.id))?.status).toBe('queued')
    await store.accounts.update({ id }, { $unset: { suspended_at: true } })
    await work.stop()
    // The first look of a runner is for free places, which it looks for every ten seconds after.
    work = startWork(world.ports, ['runner'], 2)
    await until(async () => (await store.runs.get(run.id))?.status === 'failed')
  } finally {
    await work.stop()
    await store.close()
  }
})
