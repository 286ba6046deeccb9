import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Leased {
  run: Run | null
  lease_token: string
}

describe.each(stores())('a workflow on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let key: string
  let made: World
  const running: Runner[] = []

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    made = openWorld(store, { clock })
    key = (await made.account()).key
    await made.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await store.close()
  })

  const task = (task_id: string, rest: object = {}): Promise<unknown> => {
    const whole = { task_id, name: task_id, runtime: 'template', prompt: '{{input}}', ...rest }
    return made.ask('tasks.create', { char_id: 'ada', task: whole }, key)
  }
  const started = (world = made): Runner => {
    const one = runner(world.ports, 4)
    world.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }
  const run = (task_id: string, input: unknown = '', rest: object = {}): Promise<Run> =>
    made.ask('tasks.run', { char_id: 'ada', task_id, input, ...rest }, key)
  const read = (one: { id: string }): Promise<Run> => made.ask('runs.get', { run_id: one.id }, key)
  const ended = async (one: Run): Promise<Run> => {
    await until(async () => (await read(one)).finished_at !== null)
    return read(one)
  }
  const family = async (one: Run): Promise<Run[]> => {
    const input = { root_run_id: one.id, limit: 100 }
    return (await made.ask<{ items: Run[] }>('runs.list', input, key)).items.toReversed()
  }
  const parked = async (one: Run): Promise<void> =>
    until(async () => (await read(one)).reason === 'waiting_for_steps')
  const lease = (): Promise<Leased> => made.ask('runs.lease', { char_id: 'ada' }, key)

  it('gives each output to the next step, by order, and ends with the last', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('c', { order: 3, prompt: '{{input}}c', variables: { x: '1' } })
    await task('a', { order: 1, prompt: '{{input}}a' })
    await task('off', { order: 2, enabled: false, prompt: 'off' })
    await task('hand', { order: 2, autonomy: 'manual', prompt: 'hand' })
    await task('b', { order: 2, prompt: '{{input}}b{{x}}', variables: { x: '0' } })
    started()
    const one = await run('flow', '>', { variables: { x: '7' } })
    expect(await ended(one)).toMatchObject({ status: 'completed', output: '>ab7c', error: null })
    const [root, ...steps] = await family(one)
    expect(root?.id).toBe(one.id)
    expect(steps.map(({ task_id, output }) => [task_id, output])).toEqual([
      ['a', '>a'],
      ['b', '>ab7'],
      ['c', '>ab7c'],
    ])
    const caller = { char_id: 'ada', task_id: 'flow', run_id: one.id }
    for (const step of steps) {
      expect(step).toMatchObject({ parent_run_id: one.id, depth: 1, attempt: 1 })
      expect(step.trigger).toMatchObject({ type: 'workflow', caller })
    }
    const { items } = await made.ask<{ items: { type: string; data: object }[] }>(
      'runs.events',
      { run_id: one.id },
      key,
    )
    expect(items.map(({ type }) => type)).toEqual([
      'run.queued',
      'run.started',
      'step.queued',
      'step.queued',
      'step.queued',
      'run.completed',
    ])
    expect(items[3]?.data).toEqual({ step: 2, of: 3, task_id: 'b', run_id: steps[1]?.id })
  })

  it('passes JSON on as it is', async () => {
    await task('flow', { runtime: 'workflow' })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    await task('say', { order: 2, prompt: '{{berths.free}}' })
    started()
    const one = await run('flow')
    await parked(one)
    const held = await lease()
    const done = { run_id: held.run?.id, lease_token: held.lease_token }
    await made.ask('runs.complete', { ...done, output: { berths: { free: 3 } } }, key)
    expect(await ended(one)).toMatchObject({ output: '3' })
  })

  it.each([
    { workflow_entry: 'c', output: 'c' },
    { workflow_entry: 'The second', output: 'bc' },
    { workflow_entry: null, output: 'abc' },
  ])('begins at $workflow_entry, and so gives $output', async ({ workflow_entry, output }) => {
    await task('flow', { runtime: 'workflow', workflow_entry, order: 5 })
    await task('a', { order: 1, prompt: '{{input}}a' })
    await task('b', { order: 2, name: 'The second', prompt: '{{input}}b' })
    await task('c', { order: 3, prompt: '{{input}}c' })
    started()
    expect(await ended(await run('flow'))).toMatchObject({ status: 'completed', output })
  })

  it.each([
    [{ workflow_entry: 'absent' }, 'workflow_entry_invalid', 'has no task "absent"'],
    [{ workflow_entry: 'off' }, 'workflow_entry_invalid', 'is disabled'],
    [{ workflow_entry: 'flow' }, 'workflow_entry_invalid', 'names the workflow itself'],
    [{}, 'workflow_empty', 'no other enabled task'],
  ])('with %j fails as %s', async (rest, code, words) => {
    await task('flow', { runtime: 'workflow', ...rest })
    await task('off', { enabled: false })
    started()
    const failed = await ended(await run('flow'))
    expect(failed).toMatchObject({ status: 'failed', error: { code } })
    expect(failed.error?.message).toContain(words)
  })

  it('fails with the step that fails, and begins none after it', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('a', { order: 1 })
    await task('b', { order: 2, prompt: '{{missing}}' })
    await task('c', { order: 3 })
    started()
    const one = await run('flow')
    const failed = await ended(one)
    expect(failed).toMatchObject({ status: 'failed', output: null, error: { code: 'step_failed' } })
    expect(failed.error?.message).toMatch(/^The step "b" \(2 of 3\) ended as failed.*variable_miss/)
    expect((await family(one)).map(({ task_id }) => task_id)).toEqual(['flow', 'a', 'b'])
  })

  itOnEach(
    'goes on after a crash between steps, with another runner on the same store',
    async () => {
      await task('flow', { runtime: 'workflow', order: 9 })
      for (const n of [1, 2, 3]) await task(`s${n}`, { order: n, prompt: `{{input}}${n}` })
      const one = await run('flow')
      const pieces = [
        { task_id: 'flow', reason: 'waiting_for_steps' },
        { task_id: 's1', status: 'completed' },
        { task_id: 's2', status: 'completed' },
        { task_id: 's3', status: 'completed' },
      ] as const
      // Each piece of work by a process that is gone after it, unless it was quick enough for another.
      for (const piece of pieces) {
        const short = runner(openWorld(store, { clock }).ports, 1)
        short.wake(1)
        // One that was quick enough for all of them has left nothing to wait for.
        await until(
          async () =>
            (await store.runs.count(piece)) === 1 ||
            (await store.runs.count({ task_id: 'flow', status: 'completed' })) === 1,
        )
        await short.stop()
      }
      expect(await read(one)).toMatchObject({ status: 'completed', output: '123' })
    },
  )

  it('takes over a step whose worker was lost in the middle of it', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('a', { order: 1 })
    await task('b', { order: 2, prompt: '{{input}}!' })
    const one = await run('flow', 'hi')
    // Not woken by what is queued: it looks when it is told to.
    const worker = runner(made.ports, 4)
    running.push(worker)
    for (const state of ['flow', 'a', 'b']) {
      // Claimed and dropped: what a process leaves that dies before its commit.
      const due = await store.runs.update(
        { task_id: state, waits_for: 'worker' },
        {
          $set: {
            status: 'running',
            due_at: new Date(clock.now().getTime() + 30_000).toISOString(),
            claim: { token: 'gone', by: 'worker', at: '', until: '', longest: '9999' },
          },
          $inc: { attempt: 1 },
        },
      )
      expect(due?.task_id).toBe(state)
      await clock.advance(31_000)
      await worker.tick(clock.now())
      await until(async () => (await store.runs.count({ task_id: state, attempt: 2 })) === 1)
      if (state === 'flow') await parked(one)
      else {
        await until(
          async () => (await store.runs.count({ task_id: state, status: 'completed' })) === 1,
        )
      }
    }
    expect(await ended(one)).toMatchObject({ status: 'completed', output: 'hi!' })
  })

  itOnEach('is shared by two processes, each step done once', async () => {
    await task('flow', { runtime: 'workflow', order: 99 })
    for (let n = 0; n < 5; n += 1) await task(`s${n}`, { order: n, prompt: `{{input}}${n}` })
    const runs = await Promise.all(Array.from({ length: 8 }, (_, n) => run('flow', `${n}:`)))
    const two = [started(), started(openWorld(store, { clock }))]
    await until(async () => {
      for (const one of two) await one.tick(clock.now())
      return (await store.runs.count({ task_id: 'flow', status: 'completed' })) === 8
    })
    for (const [n, one] of runs.entries()) {
      expect(await read(one)).toMatchObject({ output: `${n}:01234` })
      expect(await store.runs.count({ root_run_id: one.id })).toBe(6)
    }
    expect(await store.runs.count({ attempt: { $gt: 1 } })).toBe(0)
  })

  it('takes its open step with it when it is cancelled', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('a', { order: 1 })
    await task('think', { order: 2, runtime: 'oracle', prompt: 'x' })
    started()
    const one = await run('flow')
    await until(async () => (await store.runs.count({ task_id: 'think' })) === 1)
    const held = await lease()
    await made.ask('runs.cancel', { run_id: one.id, reason: 'enough' }, key)
    expect(await read(one)).toMatchObject({ status: 'cancelled', reason: 'enough' })
    const step = held.run ?? one
    expect(await read(step)).toMatchObject({ status: 'cancelled', reason: 'workflow_ended' })
    const late = { run_id: step.id, lease_token: held.lease_token, output: 'late' }
    expect(await made.refusal('runs.complete', late, key)).toMatchObject({ code: 'run_ended' })
    expect(await store.runs.count({ status: 'queued' })).toBe(0)
  })

  it('fails when its step is cancelled or its step’s task is deleted', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    await task('gone', { order: 2 })
    started()
    const [first, ...others] = [await run('flow'), await run('flow'), await run('flow')]
    await until(async () => (await store.runs.count({ task_id: 'think' })) === 3)
    const [, step] = await family(first)
    await made.ask('runs.cancel', { run_id: step?.id }, key)
    expect(await read(first)).toMatchObject({ status: 'failed', error: { code: 'step_cancelled' } })
    // The task of a step to come.
    await made.ask('tasks.delete', { char_id: 'ada', task_id: 'gone' }, key)
    const held = await lease()
    const done = { run_id: held.run?.id, lease_token: held.lease_token, output: 'x' }
    await made.ask('runs.complete', done, key)
    // Which of the two began its step first is the workers' affair.
    const isHeld = ({ id }: Run): boolean => id === held.run?.parent_run_id
    const [second, third] = others.toSorted((a, b) => Number(isHeld(b)) - Number(isHeld(a)))
    if (!second || !third) throw new Error('a workflow is missing')
    const missing = await read(second)
    expect(missing).toMatchObject({ status: 'failed', error: { code: 'step_missing' } })
    expect(missing.error?.message).toContain('"gone" (2 of 2)')
    // The task of the step under way.
    await made.ask('tasks.delete', { char_id: 'ada', task_id: 'think' }, key)
    expect(await read(third)).toMatchObject({ status: 'failed', error: { code: 'step_cancelled' } })
    expect((await read(third)).error?.message).toContain('task_deleted')
  })

  it('is cancelled with its steps when its own task or its agent goes', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    started()
    const first = await run('flow')
    await until(async () => (await store.runs.count({ task_id: 'think' })) === 1)
    await made.ask('tasks.delete', { char_id: 'ada', task_id: 'flow' }, key)
    expect((await family(first)).map(({ status, reason }) => [status, reason])).toEqual([
      ['cancelled', 'task_deleted'],
      ['cancelled', 'workflow_ended'],
    ])
    await task('flow', { runtime: 'workflow', order: 9 })
    const second = await run('flow')
    await until(async () => (await store.runs.count({ task_id: 'think' })) === 2)
    await made.ask('characters.delete', { char_id: 'ada' }, key)
    const [stored] = await store.runs.find({ id: second.id })
    expect(stored).toMatchObject({ status: 'cancelled', reason: 'character_deleted' })
    expect(await store.runs.count({ open: { $gt: '' } })).toBe(0)
  })

  it('fails with a step that was disabled meanwhile, and says so', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    await task('b', { order: 2 })
    started()
    const one = await run('flow')
    await parked(one)
    const change = { char_id: 'ada', task_id: 'b', task: { enabled: false } }
    await made.ask('tasks.update', change, key)
    const held = await lease()
    const done = { run_id: held.run?.id, lease_token: held.lease_token, output: 'x' }
    await made.ask('runs.complete', done, key)
    expect(await read(one)).toMatchObject({
      status: 'failed',
      error: { code: 'step_skipped', message: 'The step "b" (2 of 2) was not run: task_disabled.' },
    })
  })

  it('runs workflows as steps, and the end of the innermost reaches the outermost at once', async () => {
    await task('outer', { runtime: 'workflow', order: 1 })
    await task('inner', { runtime: 'workflow', order: 2, workflow_entry: 'x' })
    await task('x', { order: 3, prompt: '{{input}}x' })
    await task('y', { order: 4, prompt: '{{input}}y' })
    started()
    const one = await run('outer', '', {})
    // inner: x y; then x, y of the outer one.
    expect(await ended(one)).toMatchObject({ status: 'completed', output: 'xyxy' })
    expect((await family(one)).map(({ task_id, depth }) => `${task_id}${depth}`)).toEqual([
      'outer0',
      'inner1',
      'x2',
      'y2',
      'x1',
      'y1',
    ])
  })

  it('takes everything below with it when the outermost is cancelled', async () => {
    await task('outer', { runtime: 'workflow', order: 1 })
    await task('inner', { runtime: 'workflow', order: 2, workflow_entry: 'think' })
    await task('think', { order: 3, runtime: 'oracle', prompt: 'x' })
    started()
    const one = await run('outer')
    await until(async () => (await store.runs.count({ task_id: 'think' })) === 1)
    await made.ask('runs.cancel', { run_id: one.id }, key)
    const all = await family(one)
    expect(all.map(({ task_id, status }) => `${task_id} ${status}`)).toEqual([
      'outer cancelled',
      'inner cancelled',
      'think cancelled',
    ])
  })

  it('ends a circle of workflows where the chain is eight runs deep', async () => {
    await task('one', { runtime: 'workflow', order: 1 })
    await task('two', { runtime: 'workflow', order: 2, workflow_entry: 'one' })
    started()
    const first = await run('one')
    const failed = await ended(first)
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'step_failed' } })
    const all = await family(first)
    expect(all.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(all.at(-1)?.error).toMatchObject({ code: 'chain_too_deep' })
    expect(all.every(({ status }) => status === 'failed')).toBe(true)
  })

  it('ends where the first run has set off a hundred', async () => {
    await task('flow', { runtime: 'workflow', order: -1 })
    for (let n = 0; n < 101; n += 1) await task(`s${n}`, { order: n })
    started()
    const one = await run('flow')
    expect(await ended(one)).toMatchObject({ status: 'failed', error: { code: 'too_many_runs' } })
    expect(await store.runs.count({ root_run_id: one.id })).toBe(100)
  })

  it('occupies none of the places of its account while it waits', async () => {
    const limits = { ...noQuotas.unclaimed, concurrent_runs: 1 }
    made = openWorld(store, { clock, quotas: { unclaimed: limits, claimed: limits } })
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    await task('b', { order: 2, prompt: '{{input}}b' })
    started()
    const all = [await run('flow'), await run('flow'), await run('flow')]
    for (const one of all) await parked(one)
    const { quotas } = await made.ask<{ quotas: { name: string; used: number }[] }>(
      'account.get',
      {},
      key,
    )
    expect(quotas.find(({ name }) => name === 'concurrent_runs')?.used).toBe(0)
    for (const _ of all) {
      const held = await lease()
      expect(held.run).not.toBeNull()
      const done = { run_id: held.run?.id, lease_token: held.lease_token, output: 'x' }
      await made.ask('runs.complete', done, key)
    }
    for (const one of all) expect(await ended(one)).toMatchObject({ output: 'xb' })
  })

  it('has seven days for its steps, and ends the open one with it', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    const worker = started()
    const one = await run('flow')
    await parked(one)
    const [, step] = await family(one)
    // Another limit than its step's own, which would end it after a day.
    await store.runs.update(
      { id: step?.id ?? '' },
      { $set: { due_at: '9999-01-01T00:00:00.000Z' } },
    )
    await clock.advance(7 * 86_400_000 - 1000)
    await worker.tick(clock.now())
    expect(await read(one)).toMatchObject({ status: 'running' })
    await clock.advance(2000)
    await worker.tick(clock.now())
    expect(await read(one)).toMatchObject({ status: 'timed_out', error: { code: 'steps_budget' } })
    expect(await read(step ?? one)).toMatchObject({ status: 'cancelled', reason: 'workflow_ended' })
  })

  it('fails when its step is not leased within a day', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('think', { order: 1, runtime: 'oracle', prompt: 'x' })
    const worker = started()
    const one = await run('flow')
    await parked(one)
    await clock.advance(86_401_000)
    await worker.tick(clock.now())
    expect(await read(one)).toMatchObject({ status: 'failed', error: { code: 'step_timed_out' } })
    expect((await read(one)).error?.message).toContain('no_worker')
  })

  it('hands its output on, and pauses its task when it fails, like other runs', async () => {
    await task('flow', {
      runtime: 'workflow',
      order: 9,
      workflow_entry: 'a',
      output_sharing: { enabled: true, target_agent_id: 'ada', target_task_id: 'after' },
      reliability: { pause_on_failure: true },
    })
    await task('after', { order: 1, prompt: 'got {{input}}' })
    await task('a', { order: 2, prompt: '{{need}}' })
    started()
    const one = await run('flow', '', { variables: { need: 'it' } })
    await ended(one)
    await until(
      async () => (await store.runs.count({ task_id: 'after', status: 'completed' })) === 1,
    )
    expect((await family(one)).at(-1)).toMatchObject({ task_id: 'after', output: 'got it' })
    await ended(await run('flow'))
    const flow = await made.ask<{ enabled: boolean }>(
      'tasks.get',
      { char_id: 'ada', task_id: 'flow' },
      key,
    )
    expect(flow.enabled).toBe(false)
  })

  it('waits for a step that waits for an approval, and goes on with what resumes it', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    const approval_gate = { requires_approval: true }
    await task('a', { order: 1, prompt: '{{input}}a{{x}}', approval_gate })
    await task('b', { order: 2, prompt: '{{input}}b' })
    started()
    const one = await run('flow', '>', { variables: { x: '7' } })
    await until(async () => (await store.runs.count({ status: 'waiting_approval' })) === 1)
    expect(await read(one)).toMatchObject({ status: 'running', reason: 'waiting_for_steps' })
    const [, held] = await family(one)
    const vote = { approval_id: held?.approval_id, decision: 'approve' }
    await made.ask('approvals.decide', vote, key)
    expect(await ended(one)).toMatchObject({ status: 'completed', output: '>a7b' })
    expect((await family(one)).map(({ task_id, reason }) => [task_id, reason])).toEqual([
      ['flow', null],
      ['a', 'resumed'],
      ['a', null],
      ['b', null],
    ])
  })

  it.each(['abandon', 'notify_only'])(
    'fails with a step that is rejected: %s',
    async (on_reject) => {
      await task('flow', { runtime: 'workflow', order: 9 })
      await task('a', { order: 1, approval_gate: { requires_approval: true, on_reject } })
      await task('b', { order: 2 })
      started()
      const one = await run('flow')
      await until(async () => (await store.runs.count({ status: 'waiting_approval' })) === 1)
      const [, held] = await family(one)
      const vote = { approval_id: held?.approval_id, decision: 'reject' }
      await made.ask('approvals.decide', vote, key)
      expect(await read(one)).toMatchObject({ status: 'failed', error: { code: 'step_rejected' } })
      expect(await store.runs.count({ task_id: 'b' })).toBe(0)
    },
  )

  it('withdraws the approval that its step waits for when it is cancelled', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('a', { order: 1, approval_gate: { requires_approval: true } })
    started()
    const one = await run('flow')
    await until(async () => (await store.runs.count({ status: 'waiting_approval' })) === 1)
    const [, held] = await family(one)
    await made.ask('runs.cancel', { run_id: one.id }, key)
    expect(await read(held ?? one)).toMatchObject({ status: 'cancelled' })
    expect(await store.approvals.find({})).toMatchObject([{ state: 'cancelled' }])
  })

  it('begins after its own approval', async () => {
    await task('flow', {
      runtime: 'workflow',
      order: 9,
      approval_gate: { requires_approval: true },
    })
    await task('a', { order: 1, prompt: '{{input}}a' })
    started()
    const one = await run('flow', '>')
    await until(async () => (await read(one)).status === 'waiting_approval')
    expect(await store.runs.count({ task_id: 'a' })).toBe(0)
    const vote = { approval_id: (await read(one)).approval_id, decision: 'approve' }
    await made.ask('approvals.decide', vote, key)
    await until(async () => (await store.runs.count({ task_id: 'a', status: 'completed' })) === 1)
    const resumed = (await store.runs.find({ resumed_from: one.id })).at(0)
    await until(async () => (await read(resumed ?? one)).finished_at !== null)
    expect(await read(resumed ?? one)).toMatchObject({ status: 'completed', output: '>a' })
  })

  it('can be waited for by its caller', async () => {
    await task('flow', { runtime: 'workflow', order: 9 })
    await task('a', { order: 1, prompt: '{{input}}a' })
    started()
    expect(await run('flow', '1', { wait_seconds: 60 })).toMatchObject({
      status: 'completed',
      output: '1a',
    })
  })
})
