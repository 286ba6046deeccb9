import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { DueTasks } from '#src/work/turns/due-tasks.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const now = new Date('2026-03-02T09:00:05Z')
const early = '2026-03-02T09:00:00.000Z'
const late = '2026-03-02T09:00:04.000Z'
const later = '2026-03-02T10:00:00.000Z'

describe.each(stores())('tasks that are due on $name', (kind) => {
  let world: World
  let like: StoredTask

  beforeEach(async () => {
    world = openWorld(await kind.open())
    const { key } = await world.account()
    const heart = { tasks: [{ task_id: 'says', name: 'Says', runtime: 'template', prompt: 'Hi' }] }
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
    const [made] = await world.ports.store.tasks.find({ char_id: 'ada' })
    if (!made) throw new Error('there is no task')
    like = made
  })
  afterEach(() => world.ports.store.close())

  const put = (owner_id: string, count: number, due_at: string) =>
    world.ports.store.commit(
      Array.from({ length: count }, (_, n) => {
        const id = `${owner_id}/${String(n).padStart(4, '0')}`
        return {
          in: 'tasks',
          insert: { ...like, id, owner_id, char_id: owner_id, due_at },
        } as const
      }),
    )
  const owners = (ids: readonly string[]) => new Set(ids.map((id) => id.split('/')[0]))

  it('are all found where they are few, and none that is not due', async () => {
    await put('acc_a', 3, early)
    await put('acc_b', 2, late)
    await put('acc_c', 5, later)
    const found = await new DueTasks(world.ports.store).next(now)
    const ids = 'acc_a/0000 acc_a/0001 acc_a/0002 acc_b/0000 acc_b/0001'
    expect(found.join(' ')).toBe(ids)
  })

  it('of others are found in few queries, also where one account has hundreds', async () => {
    await put('acc_m', 600, early)
    for (let n = 0; n < 40; n++) await put(`acc_x${n}`, 1, n === 17 ? late : later)
    for (let n = 0; n < 40; n++) await put(`acc_b${n}`, 1, n === 31 ? late : later)
    const due = new DueTasks(world.ports.store)
    const seen = new Set<string | undefined>()
    const ids = new Set<string>()
    for (let looks = 0; looks < 3; looks++) {
      const found = await due.next(now)
      expect(found).toHaveLength(256)
      expect(new Set(found).size).toBe(256)
      for (const owner of owners(found)) seen.add(owner)
      for (const id of found) ids.add(id)
    }
    expect(seen).toEqual(new Set(['acc_m', 'acc_x17', 'acc_b31']))
  })

  it('are those of one account alone where no other has a schedule', async () => {
    await put('acc_m', 300, early)
    const due = new DueTasks(world.ports.store)
    expect(await due.next(now)).toHaveLength(256)
    expect(await due.next(now)).toHaveLength(256)
  })
})
