import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newRunWithoutTask } from '#src/runs/new-run.ts'
import { cancelRuns } from '#src/runs/ending/cancel.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

describe.each(stores())('cancelling on $name', (kind) => {
  let store: Store
  let world: World
  beforeEach(async () => {
    const opened = await kind.open()
    store = opened
    world = openWorld({ ...opened, commit: (writes) => commitSlowly(writes) })
  })
  afterEach(() => store.close())

  const made = (more: Partial<StoredRun> = {}): StoredRun => {
    const agent = { id: 'ada', app_id: null, owner_id: 'acc_1' }
    const trigger = { type: 'manual', at: now.toISOString() }
    return { ...newRunWithoutTask(agent, { trigger, input: 'x' }, now), ...more }
  }
  const kept = async (...runs: StoredRun[]): Promise<void> =>
    store.commit(runs.map((insert) => ({ in: 'runs', insert })))
  /** That of a run which waits for its steps takes longer than any other. */
  const commitSlowly: Store['commit'] = async (writes) => {
    const [first] = writes
    const isOfFlow = first && 'update' in first && first.update.id === 'run_2'
    for (let i = 0; i < (isOfFlow ? 50 : 0); i++) await new Promise((next) => setImmediate(next))
    return store.commit(writes)
  }
  const cancelAll = () => cancelRuns(world.ports, { owner_id: 'acc_1' }, 'enough')

  it('takes every run of the filter that has not ended, however many there are', async () => {
    const waiting = Array.from({ length: 60 }, () => made({ status: 'waiting_input' }))
    const others = [made({ owner_id: 'acc_2' }), made({ status: 'completed', reason: 'done' })]
    await kept(...waiting, ...others)
    // The newest make as many as are taken at a time.
    const queued = Array.from({ length: 100 }, () => made())
    await kept(...queued)
    await cancelAll()
    expect(await store.runs.count({ status: 'cancelled', reason: 'enough' })).toBe(160)
    const left = await store.runs.find({ status: { $ne: 'cancelled' } }, { sort: { id: 1 } })
    expect(left).toEqual(others)
  })

  it('ends a run that waits for its step by itself, and the step with it', async () => {
    const steps = { tasks: ['t'], at: 0 }
    const flow = made({ id: 'run_2', root_run_id: 'run_2', status: 'running', steps })
    const step = { parent_run_id: 'run_2', root_run_id: 'run_2', depth: 1, step: 0 }
    await kept({ ...flow, waits_for: 'steps' }, made({ id: 'run_1', ...step }))
    await cancelAll()
    expect(await store.runs.find({}, { sort: { id: 1 } })).toMatchObject([
      { id: 'run_1', status: 'cancelled', reason: 'workflow_ended', error: null },
      { id: 'run_2', status: 'cancelled', reason: 'enough', error: null },
    ])
  })

  it('takes a step whose run goes on', async () => {
    await kept(made({ id: 'run_1', parent_run_id: 'run_0', root_run_id: 'run_0', step: 0 }))
    await cancelAll()
    expect(await store.runs.get('run_1')).toMatchObject({ status: 'cancelled', reason: 'enough' })
  })
})
