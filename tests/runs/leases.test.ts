import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { releaseParked } from '#src/runs/concurrency.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

interface Lease {
  run: Run | null
  lease_token: string
}

describe.each(stores())('what an agent leases on $name', (kind) => {
  let store: Store
  let world: World
  let owner: { key: string; id: string }
  beforeEach(async () => {
    store = await kind.open()
    const one = { ...noQuotas.unclaimed, concurrent_runs: 9 }
    world = openWorld(store, { quotas: { ...noQuotas, unclaimed: one } })
    owner = await world.account()
    for (const id of ['ada', 'eve']) {
      const tasks = ['first', 'second'].map((task_id) => ({ task_id, name: task_id, prompt: 'Do' }))
      await world.ask(
        'characters.create',
        { character: { id, name: id, heart: { tasks } } },
        owner.key,
      )
    }
  })
  afterEach(() => store.close())

  const run = (char_id: string, task_id: string) =>
    world.ask<Run>('tasks.run', { char_id, task_id }, owner.key)
  const lease = (among: object = {}) => world.ask<Lease>('runs.lease', among, owner.key)

  it('is of the agent and the task that it asks for, and of any where it names none', async () => {
    const [a, b, c] = [
      await run('eve', 'first'),
      await run('ada', 'first'),
      await run('ada', 'second'),
    ]
    expect((await lease({ char_id: 'ada', task_id: 'second' })).run?.id).toBe(c.id)
    expect((await lease({ char_id: 'ada', task_id: 'second' })).run).toBeNull()
    expect((await lease({ char_id: 'ada' })).run?.id).toBe(b.id)
    expect((await lease({ char_id: 'ada' })).run).toBeNull()
    expect((await lease()).run?.id).toBe(a.id)
  })

  it('is tried three times where that may help, and no more', async () => {
    await run('ada', 'first')
    const error = { code: 'busy', message: 'Later.' }
    const failed = async () => {
      const { run: leased, lease_token } = await lease()
      if (!leased) throw new Error('it waits')
      const said = { run_id: leased.id, lease_token, error, transient: true }
      return world.ask<Run>('runs.fail', said, owner.key)
    }
    expect(await failed()).toMatchObject({ status: 'queued', attempt: 1, error: null })
    expect(await failed()).toMatchObject({ status: 'queued', attempt: 2 })
    expect(await failed()).toMatchObject({ status: 'failed', attempt: 3, error })
    expect((await lease()).run).toBeNull()
  })

  it('gives its place to the run that has waited for one for longest', async () => {
    const waiting = [await run('ada', 'first'), await run('ada', 'second')]
    for (const { id } of waiting.toReversed()) {
      await store.runs.update({ id }, { $set: { waits_for: 'room', reason: 'no_room' } })
    }
    expect(await releaseParked(world.ports, 'absent')).toBe(false)
    expect(await releaseParked(world.ports, owner.id)).toBe(true)
    expect(await store.runs.get(waiting[0]?.id ?? '')).toMatchObject({
      waits_for: 'worker',
      reason: null,
    })
    expect(await store.runs.get(waiting[1]?.id ?? '')).toMatchObject({ waits_for: 'room' })
    expect(await releaseParked(world.ports, owner.id)).toBe(true)
    expect(await releaseParked(world.ports, owner.id)).toBe(false)
    // Nor where no account has a limit of places.
    expect(await releaseParked(openWorld(store).ports, owner.id)).toBe(false)
  })
})
