import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { depthAtMost, runsARoot } from '#src/runs/ending/handoff.ts'
import type { Run, StoredRun } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(oneStore())('a run that hands its output on, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let opened: Store
  let store: Store
  let clock: FakeClock
  let world: World
  let key: string
  let worker: Runner
  /** Called once, before the next commit. */
  let meanwhile: (() => Promise<unknown>) | undefined

  beforeEach(async () => {
    opened = await kind.open()
    clock = fakeClock()
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
      async commit(writes) {
        const first = meanwhile
        meanwhile = undefined
        await first?.()
        await opened.commit(writes)
      },
    }
    world = openWorld(store, { clock })
    key = (await world.account()).key
    worker = runner(world.ports, 4)
    for (const id of ['ada', 'grace']) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
  })
  afterEach(async () => {
    await worker.stop()
    await opened.close()
  })

  const task = (char_id: string, task_id: string, more: object = {}): Promise<unknown> => {
    const whole = { task_id, name: task_id, runtime: 'template', prompt: '{{input}}', ...more }
    return world.ask('tasks.create', { char_id, task: whole }, key)
  }
  const share = (more: object = {}) => ({
    output_sharing: { enabled: true, target_agent_id: 'grace', target_task_id: 'u', ...more },
  })
  const run = (input: unknown = 'fog'): Promise<Run> =>
    world.ask('tasks.run', { char_id: 'ada', task_id: 't', input }, key)
  const received = (): Promise<StoredRun[]> =>
    store.runs.find({ char_id: 'grace' }, { sort: { id: 1 } })
  const familyOf = async (id: string): Promise<number | undefined> =>
    (await store.runs.get(id))?.family
  const drops = async (run_id: string): Promise<unknown[]> => {
    const found = await store.run_events.find({ run_id, type: 'handoff.dropped' })
    return found.map(({ data }) => data)
  }

  it.each([
    ['to a task', { target_task_id: 'u' }],
    ['as a message', { target_task_id: null }],
  ])('tells the receiver whose it is and what goes along, %s', async (_, target) => {
    await task('grace', 'u', { triggers: [{ type: 'message' }] })
    await task('ada', 't', share({ ...target, handoff_memory_key: 'latest' }))
    const { id } = await run()
    const [{ trigger, parent_run_id } = {}] = await received()
    expect(parent_run_id).toBe(id)
    expect(trigger).toMatchObject({ type: 'message', at: clock.now().toISOString() })
    const { message_id: _message, ...caller } = { message_id: null, ...trigger?.caller }
    expect(caller).toEqual({
      char_id: 'ada',
      task_id: 't',
      run_id: id,
      handoff_memory_key: 'latest',
    })
  })

  it('reaches no one where its task has no handoff, or one without a target', async () => {
    await task('grace', 'u')
    await task('ada', 't', share({ enabled: false }))
    await run()
    const change = { char_id: 'ada', task_id: 't', task: share({ target_agent_id: null }) }
    await world.ask('tasks.update', change, key)
    const { id } = await run()
    expect(await received()).toEqual([])
    expect(await drops(id)).toEqual([])
  })

  it('reaches an agent that its task selects', async () => {
    await task('grace', 'u')
    await task('ada', 't', { ...share(), selected_connections: ['grace'] })
    const { id } = await run()
    expect(await received()).toHaveLength(1)
    expect(await drops(id)).toEqual([])
  })

  it.each([
    ['alan', 'u', 'there is no such agent'],
    ['grace', 'v', 'the agent has no task "v"'],
  ])('to %s, task %s, has ended all the same, and says: %s', async (agent, task_id, reason) => {
    await task('grace', 'u')
    await task('ada', 't', share({ target_agent_id: agent, target_task_id: task_id }))
    const { id, status } = await run()
    expect(status).toBe('completed')
    expect(await drops(id)).toEqual([{ target_agent_id: agent, reason }])
    expect(await received()).toEqual([])
  })

  itOnEach('leaves a message for an agent of which no task listens', async () => {
    await task('grace', 'u')
    await task('ada', 't', share({ target_task_id: null }))
    const { id } = await run()
    expect(await store.messages.find({ to: 'grace' })).toMatchObject([{ body: 'fog', runs: [] }])
    expect([await familyOf(id), await drops(id)]).toEqual([1, []])
  })

  itOnEach('reaches no further than eight runs from the first', async () => {
    await task('ada', 'other')
    await world.ask('tasks.run', { char_id: 'ada', task_id: 'other', input: 'x' }, key)
    await task('ada', 't', share({ target_agent_id: 'ada', target_task_id: 't' }))
    const { id } = await run()
    await until(async () => {
      await worker.tick(clock.now())
      return (await store.runs.count({ status: { $in: ['queued', 'running'] } })) === 0
    })
    const chain = await store.runs.find({ root_run_id: id }, { sort: { depth: 1 } })
    expect(chain.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, depthAtMost])
    const reason = 'the chain is 8 runs deep'
    expect(await drops(chain.at(-1)?.id ?? '')).toEqual([{ target_agent_id: 'ada', reason }])
    expect(await drops(chain.at(-2)?.id ?? '')).toEqual([])
    expect(await familyOf(id)).toBe(chain.length)
  })

  describe('within the runs that the first one may set off', () => {
    const reason = `the first run has set off ${runsARoot} runs`
    const tooMany = [{ target_agent_id: 'grace', reason }]
    const count = (id: string, family: number): Promise<unknown> =>
      opened.runs.update({ id }, { $set: { family } })
    /** Ends a run of an agent's own, which has set off so many, itself included. */
    async function endWith(family: number, before?: (id: string) => Promise<unknown>) {
      const { id } = await run()
      await count(id, family)
      const { lease_token } = await world.ask<{ lease_token: string }>('runs.lease', {}, key)
      meanwhile = before && (() => before(id))
      await world.ask('runs.complete', { run_id: id, lease_token, output: 'fog' }, key)
      return { id, family: await familyOf(id), drops: await drops(id) }
    }

    beforeEach(() => task('ada', 't', { runtime: 'elsewhere', ...share() }))

    it('starts the last one, and says that there is no room for another', async () => {
      await task('grace', 'u')
      const last = await endWith(runsARoot - 1)
      expect(last).toMatchObject({ family: runsARoot, drops: [] })
      expect(await received()).toHaveLength(1)
      const full = await endWith(runsARoot)
      expect(full).toMatchObject({ family: runsARoot, drops: tooMany })
      expect(await received()).toHaveLength(1)
    })

    itOnEach('starts no more where another run takes the last place meanwhile', async () => {
      await task('grace', 'u')
      const ended = await endWith(runsARoot - 1, (id) => count(id, runsARoot))
      expect(ended).toMatchObject({ family: runsARoot, drops: tooMany })
      expect(await received()).toEqual([])
    })

    itOnEach('starts as many of those who listen, and says where some were left out', async () => {
      for (const id of ['u', 'v']) await task('grace', id, { triggers: [{ type: 'message' }] })
      const sharing = share({ target_task_id: null })
      await world.ask('tasks.update', { char_id: 'ada', task_id: 't', task: sharing }, key)
      const both = await endWith(runsARoot - 2)
      expect(both).toMatchObject({ family: runsARoot, drops: [] })
      expect(await received()).toHaveLength(2)
      const one = await endWith(runsARoot - 1)
      expect(one).toMatchObject({ family: runsARoot, drops: tooMany })
      expect(await received()).toHaveLength(3)
      expect(await store.messages.count({ to: 'grace' })).toBe(2)
    })
  })
})
