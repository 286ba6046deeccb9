import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Chain } from '#src/runs/chain.ts'
import type { Run } from '#src/runs/run.ts'
import { watchOthers } from '#src/work/watch.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Listed {
  items: Run[]
  next_cursor: string | null
  chain: Chain
}

describe.each(stores())('a wait for a chain on $name', (kind) => {
  let place: Place
  let opened: Store[]
  let world: World
  let key: string
  beforeEach(async () => {
    place = await kind.place()
    opened = [await place.open(), await place.open()]
    world = openWorld(opened[0]!)
    key = (await world.account()).key
    const sharing = { enabled: true, target_agent_id: 'eve', target_task_id: 't' }
    for (const [id, more] of [
      ['eve', {}],
      ['ada', { output_sharing: sharing }],
    ] as const) {
      const task = { task_id: 't', name: 'T', runtime: 'prompt', prompt: 'Do', ...more }
      const character = { id, name: id, heart: { tasks: [task] } }
      await world.ask('characters.create', { character }, key)
    }
  })
  afterEach(async () => {
    for (const store of opened) await store.close()
    await place.remove()
  })

  const begun = async () => {
    const { id } = await world.ask<Run>('tasks.run', { char_id: 'ada', task_id: 't' }, key)
    return { id, ...(await lease()) }
  }
  const lease = async () => {
    const { run, lease_token } = await world.ask<{ run: Run; lease_token: string }>(
      'runs.lease',
      {},
      key,
    )
    return { run_id: run.id, lease_token }
  }
  const complete = ({ run_id, lease_token }: { run_id: string; lease_token: string }) =>
    world.ask('runs.complete', { run_id, lease_token, output: 'x' }, key)
  const waited = (at: World, root_run_id: string, more: object = {}) =>
    at.ask<Listed>('runs.list', { root_run_id, wait_seconds: 60, ...more }, key)

  it('is answered in another process by what ends or goes to who has to act', async () => {
    const other = openWorld(opened[1]!)
    const unwatch = watchOthers(other.ports)
    try {
      const held = await begun()
      const [first] = await Promise.all([waited(other, held.id), complete(held)])
      expect(first.items.map(({ char_id, status }) => [char_id, status])).toEqual([
        ['eve', 'queued'],
        ['ada', 'completed'],
      ])
      expect(first.chain.next).toEqual([
        { operation: 'runs.lease', input: { char_id: 'eve', task_id: 't' } },
      ])
      const last = await lease()
      const [second] = await Promise.all([waited(other, held.id), complete(last)])
      expect(second.chain).toEqual({ ended: true, going_on: 0, next: [] })
      expect(second.items.map(({ output }) => output)).toEqual(['x', 'x'])
    } finally {
      unwatch()
    }
  })

  it('ends with its time, and leaves no one waiting', async () => {
    const clock = fakeClock()
    const timed = openWorld(opened[0]!, { clock })
    const held = await begun()
    const answer = waited(timed, held.id)
    await expect.poll(() => timed.ports.waiting.keys()).toEqual([held.id])
    await clock.advance(60_000)
    expect((await answer).chain).toEqual({ ended: false, going_on: 1, next: [] })
    expect(timed.ports.waiting.keys()).toEqual([])
  })

  it('is as bounded for a chain of 500 runs as for one of two', async () => {
    const held = await begun()
    const root = await opened[0]!.runs.get(held.id)
    if (!root) throw new Error('it was begun')
    const writes = Array.from({ length: 499 }, (_, n) => ({
      in: 'runs' as const,
      insert: { ...root, id: `run_${n}`, parent_run_id: held.id },
    }))
    await opened[0]!.commit(writes)
    const { items, next_cursor, chain } = await waited(world, held.id, {
      wait_seconds: 0,
      limit: 100,
    })
    expect([items.length, next_cursor === null]).toEqual([100, false])
    expect(chain).toEqual({ ended: false, going_on: 500, next: [] })
    const answer = waited(world, held.id, { limit: 1 })
    await expect.poll(() => world.ports.waiting.keys()).toHaveLength(1)
    const ended = { status: 'completed', waits_for: null } as const
    await Promise.all(
      [held.id, ...writes.map(({ insert }) => insert.id)].map((id) =>
        opened[0]!.runs.update({ id }, { $set: ended }),
      ),
    )
    for (const waitsFor of world.ports.waiting.keys()) world.ports.waiting.tell(waitsFor)
    expect((await answer).chain).toEqual({ ended: true, going_on: 0, next: [] })
  })
})
