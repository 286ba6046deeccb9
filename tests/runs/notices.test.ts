import { afterEach, beforeEach, describe, expect, it as itOnEach, vi } from 'vitest'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { Store } from '#src/ports/store.ts'
import { tellUntold } from '#src/runs/notices/tell.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const subject = { char_id: 'ada', task_id: 't' }

describe.each(stores())('a notice on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let worker: Runner
  let key: string

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    key = (await world.account()).key
    await ask('characters.create', { character: { id: 'ada', name: 'Ada' } })
    const prompt = 'Of {{name}}'
    await ask('tasks.create', {
      char_id: 'ada',
      task: { task_id: 't', name: 'T', runtime: 'api', api_url: 'https://a.example', prompt },
    })
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  const ask = <T = Run>(name: string, input: object, as = key): Promise<T> =>
    world.ask<T>(name, input, as)
  const notices = async (more: object = {}, as = key): Promise<OwnerNotice[]> =>
    (await ask<{ items: OwnerNotice[] }>('account.inbox', more, as)).items
  const told = async (): Promise<void> => {
    await clock.advance(3000)
    while ((await tellUntold(world.ports)) > 0);
  }
  /** A run that failed. */
  const failed = async (input: object = {}): Promise<Run> => {
    const { id } = await ask('tasks.run', { ...subject, ...input })
    await until(async () => (await ask('runs.get', { run_id: id })).finished_at !== null)
    return ask('runs.get', { run_id: id })
  }

  it('tells of runs that failed while no one waits, once a task and hour, with what to call', async () => {
    await failed()
    const last = await failed()
    await told()
    const [notice, ...more] = await notices()
    expect(more).toEqual([])
    expect(notice).toMatchObject({
      type: 'run.failed',
      ...subject,
      run_id: last.id,
      count: 2,
      reason: 'variable_missing',
      next: [
        { operation: 'runs.get', input: { run_id: last.id } },
        { operation: 'runs.retry', input: { run_id: last.id } },
      ],
      resolved_at: null,
      read: false,
    })
    expect(notice?.message).toContain('name')
    await ask('account.inbox.dismiss', { notice_id: notice?.id })
    expect(await notices({ open: true })).toEqual([])
    const third = await failed()
    await told()
    const again = { count: 3, run_id: third.id, dismissed_at: null }
    expect(await notices({ unread: true, open: true })).toMatchObject([again])
    await clock.advance(3_600_000)
    await failed()
    await told()
    expect((await notices()).map(({ count }) => count)).toEqual([1, 3])
  })

  itOnEach('tells each run once, of two processes that look at the same time', async () => {
    for (let i = 0; i < 6; i++) await failed()
    await clock.advance(3000)
    const other = openWorld(store, { clock })
    await Promise.all([tellUntold(world.ports), tellUntold(other.ports)])
    await told()
    expect((await notices()).map(({ count }) => count)).toEqual([6])
  })

  it('leaves out what the caller that waited for the run was told', async () => {
    const run = await ask('tasks.run', { ...subject, wait_seconds: 30 })
    expect(run.status).toBe('failed')
    await told()
    expect(await notices()).toEqual([])
  })

  it('tells of what a caller had waited for and left', async () => {
    await worker.stop()
    const leaving = new AbortController()
    const operation = world.core.catalog.find((op) => op.name === 'tasks.run')
    if (!operation) throw new Error('there is no such operation')
    const outcome = world.core.serve({
      operation,
      input: { ...subject, wait_seconds: 60 },
      credential: key,
      address: '127.0.0.0/24',
      requestId: 'r',
      signal: leaving.signal,
    })
    await until(async () => (await store.runs.count({ char_id: 'ada' })) === 1)
    leaving.abort()
    await outcome
    worker = runner(world.ports, 2)
    await worker.tick(clock.now())
    await until(async () => (await store.runs.count({ char_id: 'ada', status: 'failed' })) === 1)
    await told()
    expect(await notices()).toMatchObject([{ type: 'run.failed', count: 1 }])
  })

  it('is resolved by a later run that completes', async () => {
    await failed()
    await told()
    expect(await notices()).toMatchObject([{ resolved_at: null }])
    await ask('tasks.update', { ...subject, task: { runtime: 'template', prompt: 'Hi' } })
    const done = await ask('tasks.run', subject)
    expect(await notices()).toMatchObject([{ resolved_at: done.finished_at }])
  })

  it('is looked at together with the others of its task', async () => {
    const hour = 3_600_000
    const fails = async (): Promise<void> => {
      await failed()
      await told()
      await clock.advance(hour)
    }
    await fails()
    await fails()
    const good = { runtime: 'template', prompt: 'Hi' }
    await ask('tasks.update', { ...subject, task: good })
    const done = await ask('tasks.run', subject)
    await clock.advance(hour)
    await ask('tasks.update', { ...subject, task: { runtime: 'api', prompt: 'Of {{name}}' } })
    for (let i = 0; i < 3; i++) await fails()
    const pick = vi.spyOn(world.ports.store.runs, 'pick')
    const at = done.finished_at
    const when = (await notices()).map(({ resolved_at }) => resolved_at)
    expect(when).toEqual([null, null, null, at, at])
    // One finds the completed run, one that there is none after it.
    expect(pick).toHaveBeenCalledTimes(2)
    await notices()
    expect(pick).toHaveBeenCalledTimes(3)
  })

  it('is not resolved by a run that was only asked about', async () => {
    await failed()
    await told()
    const failure = async () => (await notices()).find(({ type }) => type === 'run.failed')
    const approval_gate = { requires_approval: true, on_reject: 'notify_only' }
    const task = { runtime: 'template', prompt: 'Hi', approval_gate }
    await ask('tasks.update', { ...subject, task })
    for (const decision of ['reject', 'approve']) {
      const { id, approval_id } = await ask('tasks.run', { ...subject, wait_seconds: 30 })
      expect(await failure()).toMatchObject({ resolved_at: null })
      // What was approved is not done yet.
      if (decision === 'approve') await worker.stop()
      await ask('approvals.decide', { approval_id, decision })
      expect(await ask('runs.get', { run_id: id })).toMatchObject({ status: 'completed' })
      expect(await failure()).toMatchObject({ resolved_at: null })
    }
    worker = runner(world.ports, 2)
    await worker.tick(clock.now())
    await until(async () => (await failure())?.resolved_at !== null)
  })

  it('is resolved with its task, and of a pause when the task is resumed', async () => {
    await ask('tasks.update', { ...subject, task: { reliability: { pause_on_failure: true } } })
    await failed()
    await told()
    const calls = (await notices()).map(({ type, next }) => `${type} ${next[0]?.operation}`)
    expect(calls.toSorted()).toEqual(['run.failed runs.get', 'task.paused tasks.resume'])
    await ask('tasks.resume', subject)
    const open = (await notices()).filter(({ resolved_at }) => resolved_at === null)
    expect(open.map(({ type }) => type)).toEqual(['run.failed'])
    await ask('tasks.delete', subject)
    expect((await notices()).every(({ resolved_at }) => resolved_at !== null)).toBe(true)
  })

  it('is read by each reader alone', async () => {
    await failed()
    // A new key is told of itself, before the reading begins.
    const other = await ask<{ key: string }>('api_keys.create', { name: 'other' })
    await notices({})
    await notices({}, other.key)
    await told()
    expect(await notices({ unread: true })).toHaveLength(1)
    expect(await notices({ unread: true })).toEqual([])
    expect(await notices({ unread: true }, other.key)).toMatchObject([{ read: false }])
    expect(await notices({}, other.key)).toMatchObject([{ read: true }, { read: true }])
  })

  it('of before is shown with what was added since, and stays read', async () => {
    const { id: account_id } = await ask<{ id: string }>('account.get', {})
    const old = {
      id: 'ntc_01',
      type: 'webhook.disabled',
      message: 'It is off.',
      read: true,
      char_id: null,
      task_id: null,
      run_id: null,
      approval_id: null,
      created_at: '2026-01-01T00:00:00.000Z',
      owner_id: account_id,
    }
    // As it was stored then.
    await store.notices.insert(old as unknown as Parameters<typeof store.notices.insert>[0])
    expect(await notices()).toMatchObject([
      {
        count: 1,
        next: [],
        reason: null,
        resolved_at: null,
        dismissed_at: null,
        read: true,
        updated_at: old.created_at,
      },
    ])
    expect(await notices({ unread: true })).toEqual([])
  })

  it('tells that a result could not be handed on', async () => {
    const output_sharing = { enabled: true, target_agent_id: 'no-one' }
    const task = { runtime: 'template', prompt: 'Hi', output_sharing }
    await ask('tasks.update', { ...subject, task })
    const run = await ask('tasks.run', subject)
    await told()
    expect(await notices()).toMatchObject([{ type: 'handoff.dropped', run_id: run.id, count: 1 }])
  })
})
