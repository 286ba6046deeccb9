import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Unavailable, type Store } from '#src/ports/store.ts'
import { end } from '#src/runs/ending/end-run.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { settleTurns } from '#src/runs/schedules/release-waiting.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const over = { status: 'completed', open: null, waits_for: null, due_at: null } as const
const done = { status: 'completed', output: 'x' } as const

describe.each(stores())('a run that waits for its turn, on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let key: string

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock(Date.parse('2026-03-02T08:30:00Z'))
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    key = (await world.account()).key
  })
  afterEach(() => store.close())

  interface Waiting {
    task: StoredTask
    /** The run that goes on, and the one that waits for it. */
    first: StoredRun
    second: StoredRun
  }

  /** A task of an agent of this name, one of whose runs waits for the one before it. */
  async function waiting(char_id = 'ada'): Promise<Waiting> {
    const triggers = [{ type: 'cron', config: { cron: '0 * * * *' } }]
    const reliability = { overlap_policy: 'queue' }
    const task = { task_id: 't', name: 'T', runtime: 'prompt', triggers, reliability }
    const character = { id: char_id, name: char_id, heart: { tasks: [task] } }
    await world.ask('characters.create', { character }, key)
    for (let hour = 1; hour <= 2; hour++) await look(hour === 1 ? 1_800_000 : 3_600_000)
    return stood(char_id)
  }
  async function stood(char_id = 'ada'): Promise<Waiting> {
    const task = await store.tasks.get(`${char_id}/t`)
    const [first, second] = await store.runs.find({ char_id }, { sort: { id: 1 } })
    if (!task || !first || !second) throw new Error('there is a run that waits')
    return { task, first, second }
  }
  async function look(milliseconds: number, one = scheduler(world.ports)): Promise<void> {
    await clock.advance(milliseconds)
    await one.tick(clock.now())
  }
  /** As if a run had ended without seeing who waits for it. */
  const endUnseen = ({ id }: StoredRun): Promise<unknown> =>
    store.runs.update({ id }, { $set: over })
  async function settle(after = '', commit?: Store['commit']): Promise<string> {
    const seen = commit ? { ...store, commit } : world.ports.store
    return settleTurns({ ...world.ports, store: seen }, clock.now(), after)
  }
  const waitsFor = async ({ id }: StoredRun): Promise<unknown> =>
    (await store.runs.get(id))?.waits_for

  it('goes to an agent at once where no model of the server can do it', async () => {
    const { first, second } = await waiting()
    await end(world.ports, first, done)
    expect(await store.runs.get(second.id)).toMatchObject({
      waits_for: 'brain',
      reason: 'waiting_for_worker',
      due_at: '2026-03-03T10:00:00.000Z',
    })
  })

  it('is looked for at every look, also where the one before found it waiting', async () => {
    const { first, second } = await waiting()
    const one = scheduler(world.ports)
    await look(6000, one)
    expect(await waitsFor(second)).toBe('turn')
    await endUnseen(first)
    await look(6000, one)
    expect(await waitsFor(second)).toBe('brain')
  })

  it('is found after two hundred others, which the next look begins behind', async () => {
    const { task, first, second } = await waiting()
    const others = Array.from({ length: 200 }, (_, i) => {
      const place = String(i).padStart(3, '0')
      // In no order that has to do with the runs'.
      return { id: `aaa/${999 - i}`, waiting_run: `run_0${place}`, ended: `run_1${place}` }
    })
    await store.commit(
      others.toReversed().flatMap(({ id, waiting_run, ended }) => [
        { in: 'tasks', insert: { ...task, id, char_id: 'aaa', due_at: null, waiting_run } },
        { in: 'runs', insert: { ...second, id: waiting_run, char_id: 'aaa', open: id } },
        { in: 'runs', insert: { ...first, id: ended, char_id: 'aaa', open: id } },
      ]),
    )
    await endUnseen(first)
    const place = await settle()
    expect(place).toBe('run_0199')
    expect(await waitsFor(second)).toBe('turn')
    expect(await settle(place)).toBe('')
    expect(await waitsFor(second)).toBe('brain')
  })

  it('is noted by its task no more once it is gone, and others stay noted', async () => {
    const { task, second } = await waiting()
    const gone = { ...task, id: 'bea/t', char_id: 'bea', due_at: null, waiting_run: 'run_gone' }
    await store.commit([{ in: 'tasks', insert: gone }])
    await settle()
    expect((await store.tasks.get(gone.id))?.waiting_run).toBeNull()
    expect((await store.tasks.get(task.id))?.waiting_run).toBe(second.id)
  })

  it('is released by the first process only, which alone wakes the workers', async () => {
    const { first, second } = await waiting()
    await endUnseen(first)
    let woken = 0
    world.ports.wake.connect('runs', (count) => void (woken += count))
    await settle('', async (writes) => {
      await store.commit(writes)
      await store.commit(writes)
    })
    expect([await waitsFor(second), woken]).toEqual(['brain', 0])
    await store.runs.update({ id: second.id }, { $set: { waits_for: 'turn', due_at: null } })
    await settle()
    expect([await waitsFor(second), woken]).toEqual(['brain', 1])
  })

  it('goes on waiting where the store is away, with the error for its caller', async () => {
    const { first, second } = await waiting()
    await endUnseen(first)
    const away = new Unavailable('the store is away')
    await expect(settle('', () => Promise.reject(away))).rejects.toBe(away)
    expect(await waitsFor(second)).toBe('turn')
  })

  it('is skipped where its task is disabled, and wakes no worker', async () => {
    const { first, second } = await waiting()
    await endUnseen(first)
    const change = { char_id: 'ada', task_id: 't', task: { enabled: false } }
    await world.ask('tasks.update', change, key)
    let woken = 0
    world.ports.wake.connect('runs', (count) => void (woken += count))
    await settle()
    expect(await store.runs.get(second.id)).toMatchObject({
      status: 'skipped',
      reason: 'task_disabled',
    })
    expect(woken).toBe(0)
  })

  it('keeps no run from ending, though the task goes in that moment', async () => {
    const { task, first, second } = await waiting()
    await store.tasks.delete({ id: task.id })
    expect(await end(world.ports, first, done, task)).toMatchObject({ status: 'completed' })
    expect(await end(world.ports, second, done)).toMatchObject({ status: 'completed' })
  })

  it('keeps no run from ending, though its task has no policy any more', async () => {
    const { first } = await waiting()
    const change = { char_id: 'ada', task_id: 't', task: { reliability: null } }
    await world.ask('tasks.update', change, key)
    expect(await end(world.ports, first, done)).toMatchObject({ status: 'completed' })
  })
})
