import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Task } from '@a2a-js/sdk'
import { TaskStore } from '#protocol/a2a/kept/task-store.ts'
import { withMessage } from '#protocol/a2a/kept/history.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

const storable = 4_000_000
const hours = 3_600_000
const account = { accountId: 'acc_one', claimed: false }
const sender = { owner: 'one key', account }

describe.each(stores())('what changes of a kept task on $name', (kind) => {
  let world: World
  let clock: FakeClock
  let tasks: TaskStore

  beforeEach(async () => {
    clock = fakeClock()
    const table = { ...noQuotas.unclaimed, stored_bytes: storable }
    world = openWorld(await kind.open(), { clock, quotas: { claimed: table, unclaimed: table } })
    await world.ports.store.usage.insert({ id: account.accountId, agents: 0, apps: 0, bytes: 0 })
    tasks = new TaskStore(world.ports.store, clock, world.ports.quotas)
  })
  afterEach(() => world.ports.store.close())

  const own = async () => (await world.ports.quotas.usage(account)).stored_bytes
  const row = async () => {
    const kept = await world.ports.store.a2a_tasks.get('task')
    if (!kept) throw new Error('the task is not kept')
    return kept
  }
  const counted = ({ task }: { task: string }): number => 500 + task.length
  const saying = (text: string, state = 'TASK_STATE_WORKING'): Task =>
    Task.fromJSON({
      id: 'task',
      contextId: 'ctx',
      status: { state, timestamp: clock.now().toISOString() },
      artifacts: [{ artifactId: 'a', name: 'a', parts: [{ text }] }],
    })
  const expire = async () => {
    clock.set(clock.now().getTime() + 25 * hours)
    while ((await upkeep(world.ports, clock.now())) > 0);
  }

  test('moves what its account has, up and down, and gives back just that', async () => {
    await tasks.keep(saying('short'), sender)
    const begun = await own()
    expect(begun).toBe(counted(await row()))
    await tasks.update(saying('x'.repeat(20_000), 'TASK_STATE_COMPLETED'), sender)
    expect(await own()).toBeGreaterThan(begun + 19_000)
    expect(await own()).toBe(counted(await row()))
    await tasks.update(saying('short'), sender)
    expect(await own()).toBe(begun)
    await tasks.update(saying('x'.repeat(9_000)), sender)
    await expire()
    expect([await own(), await world.ports.store.a2a_tasks.count({})]).toEqual([0, 0])
  })

  test('moves it once for each of many that write at once', async () => {
    await tasks.keep(saying('short'), sender)
    const other = new TaskStore(world.ports.store, clock, world.ports.quotas)
    const lengths = Array.from({ length: 20 }, (_, n) => 1000 * ((n * 7) % 20))
    await Promise.all(
      lengths.map((length, n) =>
        (n % 2 === 0 ? tasks : other).update(saying('x'.repeat(length)), sender),
      ),
    )
    expect(await own()).toBe(counted(await row()))
    await expire()
    expect(await own()).toBe(0)
  })

  test('is given back as it is when it goes, though it has grown since it was looked at', async () => {
    await tasks.keep(saying('short'), sender)
    const { a2a_tasks: rows } = world.ports.store
    const pick = rows.pick.bind(rows)
    let hasGrown = false
    rows.pick = async (...asked) => {
      const found = await pick(...asked)
      if (asked[0].includes('counts_for') && found.length > 0 && !hasGrown) {
        hasGrown = true
        const aged = { ...saying('x'.repeat(5000)) }
        const timestamp = new Date(clock.now().getTime() - 25 * hours).toISOString()
        await tasks.update({ ...aged, status: { ...aged.status!, timestamp } }, sender)
      }
      return found
    }
    await expire()
    await expire()
    expect([hasGrown, await own(), await rows.count({})]).toEqual([true, 0, 0])
  })

  test('has room, or is kept without its result', async () => {
    await tasks.keep(saying('short'), sender)
    world.ports.quotas.addBytes(account.accountId, storable)
    await tasks.update(saying('x'.repeat(20_000), 'TASK_STATE_COMPLETED'), sender)
    expect(await own()).toBeLessThan(storable + 2000)
    const kept = JSON.stringify(await tasks.load('task', sender.owner))
    expect(kept).toContain('no room to keep')
    expect(Task.toJSON((await tasks.load('task', sender.owner))!)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    })
    // What takes no more than before needs none.
    await tasks.update(saying('tiny', 'TASK_STATE_COMPLETED'), sender)
    expect(JSON.stringify(await tasks.load('task', sender.owner))).toContain('tiny')
  })

  test('is cut where what its status says is too large', async () => {
    const task = Task.fromJSON({
      ...(Task.toJSON(saying('short')) as object),
      status: {
        state: 'TASK_STATE_INPUT_REQUIRED',
        timestamp: clock.now().toISOString(),
        message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'x'.repeat(500_000) }] },
      },
    })
    await tasks.keep(task, sender)
    expect((await row()).task.length).toBeLessThan(70_000)
  })
})

test('the history of a task ends where it would grow with every message', () => {
  const said = (n: number, text: string) => ({
    ...Task.fromJSON({
      history: [{ messageId: `m-${n}`, role: 'ROLE_USER', parts: [{ text }] }],
    }).history[0]!,
  })
  let history = [said(0, 'begin')]
  for (let n = 1; n < 300; n++) history = withMessage(history, said(n, 'x'.repeat(10_000)))
  expect(JSON.stringify(history).length).toBeLessThan(40_000)
  expect(history.at(-1)?.messageId).toBe('m-299')
  expect(history.length).toBeGreaterThan(1)
  // Small ones all stay.
  let short = [said(0, 'begin')]
  for (let n = 1; n < 50; n++) short = withMessage(short, said(n, 'ok'))
  expect(short).toHaveLength(50)
})
