import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sizeOf, sizeOfAll } from '#src/core/counts/quotas.ts'
import type { Store } from '#src/ports/store.ts'
import { gravesOf } from '#tests/bounds/graves.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const tasksOf = (prefix: string, length: number) =>
  Array.from({ length }, (_, i) => ({ task_id: `${prefix}${i}`, name: 'T' }))

const manifestOf = (prefix: string, agents: number, tasks: number) => ({
  app_id: 'shop',
  name: 'Shop',
  agents: Array.from({ length: agents }, (_, i) => ({
    local_id: `a${i}`,
    name: 'A',
    heart: { tasks: tasksOf(prefix, tasks) },
  })),
})

describe.each(stores())('an app of many tasks, on $name', (kind) => {
  let store: Store
  let world: World
  let key: string
  let accountId: string

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    ;({ key, id: accountId } = await world.account())
  })
  afterEach(() => store.close())

  const ask = <T>(name: string, input: object): Promise<T> =>
    world.ask<T>(`agent_apps.${name}`, input, key)
  const errorsOf = async (name: string, input: object) =>
    (await world.refusal(`agent_apps.${name}`, input, key)).errors

  it('is refused beyond 1,000 of them, before any other fault', async () => {
    const manifest = manifestOf('t', 6, 167)
    const tooMany = { code: 'too_many_tasks', pointer: '/agents' }
    expect(await ask('validate', { manifest })).toMatchObject({
      valid: false,
      findings: [tooMany],
    })
    expect(await errorsOf('provision', { manifest })).toMatchObject([tooMany])
  })

  it('is refused at its first fault where it is too large to look for all of them', async () => {
    const connections = Array.from({ length: 39_000 }, () => ({ from: 'a0', to: 'b' }))
    const manifest = { ...manifestOf('t', 1, 1), connections }
    expect(await ask('validate', { manifest })).toEqual({
      valid: false,
      findings: [expect.objectContaining({ severity: 'error', pointer: '/connections' })],
    })
  })

  it('keeps what a manifest no longer names up to 1,000, and prune makes room', async () => {
    const app_id = 'shop'
    await ask('provision', { manifest: manifestOf('t', 3, 200) })
    const manifest = manifestOf('u', 3, 200)
    expect(await errorsOf('update', { app_id, manifest })).toMatchObject([
      { code: 'too_many_tasks', message: expect.stringContaining('prune') },
    ])
    expect(await errorsOf('plan', { app_id, manifest })).toHaveLength(1)
    await ask('update', { app_id, manifest, prune: true })
    expect(await store.tasks.count({})).toBe(600)
    expect(await store.tombstones.count({})).toBe(3)
  })

  it('is read without its tasks while they are unchanged', async () => {
    const app_id = 'shop'
    await ask('provision', { manifest: manifestOf('t', 3, 2) })
    const find = vi.spyOn(store.tasks, 'find')
    expect(await ask('get', { app_id })).toMatchObject({ drift: [] })
    expect(find).not.toHaveBeenCalled()
    const place = { char_id: 'shop--a1', task_id: 't0' }
    await world.ask('tasks.update', { ...place, task: { name: 'By hand' } }, key)
    find.mockClear()
    expect(await ask('get', { app_id })).toMatchObject({
      drift: [{ local_id: 'a1', change: 'changed', members: ['/heart/tasks/t0/name'] }],
    })
    expect(find).toHaveBeenCalledTimes(1)
  })

  it('is planned in turns of the event loop, if they take long one for each of its tasks', async () => {
    const [agents, tasks] = [3, 20]
    await ask('provision', { manifest: manifestOf('t', agents, tasks) })
    const { clock } = world.ports
    const turn = vi.spyOn(clock, 'turn')
    let now = 0
    vi.spyOn(clock, 'monotonic').mockImplementation(() => (now += 10))
    // Both are shared with the tests that follow.
    onTestFinished(() => void vi.restoreAllMocks())
    await ask('plan', { app_id: 'shop', manifest: manifestOf('t', agents, tasks) })
    // Those that it has are read as well.
    expect(turn.mock.calls.length).toBeGreaterThan(2 * agents * tasks)
  })

  it('goes in portions, and gives back all that it counted', async () => {
    const usage = () => world.ports.quotas.usage({ accountId, claimed: false })
    const before = await usage()
    await ask('provision', { manifest: manifestOf('t', 3, 200) })
    const commit = vi.spyOn(store, 'commit')
    await ask('teardown', { app_id: 'shop' })
    expect(commit.mock.calls.length).toBeGreaterThan(3)
    expect(await store.tasks.count({})).toBe(0)
    expect(await store.characters.count({})).toBe(0)
    const marks = await gravesOf(store, accountId)
    expect(await usage()).toEqual({ ...before, stored_bytes: before.stored_bytes + marks })
  })
})

it('counts more documents than fit into one call', () => {
  const many = Array.from({ length: 300_000 }, () => 1)
  expect(() => sizeOf(...many)).toThrow(RangeError)
  expect(sizeOfAll(many)).toBe(300_000)
})
