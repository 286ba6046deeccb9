import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tasksBytesAtMost } from '#src/agents/tasks/admit-bytes.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const large = 'x'.repeat(225_000)

describe.each(oneStore())('the tasks of an agent on $name', (kind) => {
  let world: World
  let key: string

  beforeEach(async () => {
    world = openWorld(await kind.open())
    key = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  })
  afterEach(() => world.ports.store.close())

  const making = (task_id: string, prompt = large) => ({
    char_id: 'ada',
    task: { task_id, name: task_id, prompt },
  })
  const kept = async (): Promise<number> => {
    const texts = await world.ports.store.tasks.text({ char_id: 'ada' })
    return texts.reduce((sum, { text }) => sum + text.length, 0)
  }
  const refused = async (name: string, input: object) =>
    (await world.refusal(name, input, key)).errors?.[0]

  test('share one bound, for new and changed ones alike, and deleting makes room', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await world.ask('tasks.create', making(id), key)
    await world.ask('tasks.create', making('small', 'x'), key)
    expect(await refused('tasks.create', making('e'))).toMatchObject({
      pointer: '/task',
      code: 'too_many_tasks',
    })
    const grown = { char_id: 'ada', task_id: 'small', task: { prompt: large } }
    expect(await refused('tasks.update', grown)).toMatchObject({ code: 'too_many_tasks' })
    // What is there may be changed, and grow less.
    await world.ask('tasks.update', { ...grown, task_id: 'a', task: { name: 'B' } }, key)
    await world.ask('tasks.delete', { char_id: 'ada', task_id: 'b' }, key)
    await world.ask('tasks.update', grown, key)
    expect(await kept()).toBeLessThan(tasksBytesAtMost)
  })

  test('count in bytes of UTF-8', async () => {
    const wide = '漢'.repeat(75_000)
    for (const id of ['a', 'b', 'c', 'd']) await world.ask('tasks.create', making(id, wide), key)
    expect(await refused('tasks.create', making('e', wide))).toMatchObject({
      code: 'too_many_tasks',
    })
  })

  test('hold no more where many are made at once', async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => world.ask('tasks.create', making(`t${n}`), key)),
    )
    expect(all.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await kept()).toBeLessThan(tasksBytesAtMost)
  })

  test('hold no more by a manifest', async () => {
    const tasks = Array.from({ length: 5 }, (_, i) => ({
      task_id: `t${i}`,
      name: 'T',
      prompt: large,
    }))
    const agents = [
      { local_id: 'a', name: 'A' },
      { local_id: 'b', name: 'B', heart: { tasks } },
    ]
    const manifest = { app_id: 'desk', name: 'Desk', agents }
    expect(await refused('agent_apps.provision', { manifest })).toMatchObject({
      pointer: '/agents/1/heart/tasks',
      code: 'too_many_tasks',
    })
    tasks.length = 4
    await world.ask('agent_apps.provision', { manifest }, key)
    tasks.push({ task_id: 'more', name: 'T', prompt: large })
    expect(await refused('agent_apps.update', { app_id: 'desk', manifest })).toMatchObject({
      code: 'too_many_tasks',
    })
    tasks.splice(0, 4)
    expect(await refused('agent_apps.update', { app_id: 'desk', manifest })).toMatchObject({
      code: 'too_many_tasks',
    })
    await world.ask('agent_apps.update', { app_id: 'desk', manifest, prune: true }, key)
  })
})
