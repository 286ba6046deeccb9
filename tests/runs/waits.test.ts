import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { OwnerNotice } from '#src/accounts/notice.ts'
import type { Store } from '#src/ports/store.ts'
import { tellUntold } from '#src/runs/notices/tell.ts'
import type { Run } from '#src/runs/run.ts'
import { releaseDue } from '#src/runs/waits/release.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { scheduler } from '#src/work/scheduler.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { noQuotas, openWorld, type World } from '#tests/support/world.ts'

const desk = { char_id: 'grace', task_id: 'desk' }
const dayMs = 86_400_000

describe.each(stores())('a run that waits on $name', (kind) => {
  const { it, describe: describeOnce } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let worker: Runner
  let key: string

  const open = async (): Promise<void> => {
    world = openWorld(store, { clock })
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    key = (await world.account()).key
    for (const id of ['ada', 'grace']) {
      await ask('characters.create', { character: { id, name: id } })
    }
    const triggers = [
      { type: 'message', config: {} },
      { type: 'event', config: { event: 'feed.post_created' } },
    ]
    const task = { task_id: 'desk', name: 'Desk', runtime: 'template', prompt: 'Got {{input}}' }
    await ask('tasks.create', { char_id: 'grace', task: { ...task, triggers } })
  }

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    await open()
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  const ask = <T = Run>(name: string, input: object): Promise<T> => world.ask<T>(name, input, key)
  const list = async (more: object = {}): Promise<Run[]> =>
    (await ask<{ items: Run[] }>('runs.list', { char_id: 'grace', ...more })).items
  const send = (body: string) =>
    ask<{ runs: string[] }>('messages.send', { char_id: 'ada', to: 'grace', body })
  const done = (count: number): Promise<void> =>
    until(async () => {
      const completed = { char_id: 'grace', status: 'completed' } as const
      return (await store.runs.count(completed)) === count
    })
  const notices = async (): Promise<OwnerNotice[]> => {
    await clock.advance(3000)
    while ((await tellUntold(world.ports)) > 0);
    return (await ask<{ items: OwnerNotice[] }>('account.inbox', {})).items
  }

  describe('for its paused task', () => {
    it('is kept with its input, told of, and begins when the task is resumed', async () => {
      await ask('tasks.pause', desk)
      await send('one')
      await send('two')
      const held = await list()
      expect(held).toMatchObject([
        { status: 'queued', reason: 'task_paused', input: 'two' },
        { status: 'queued', reason: 'task_paused', input: 'one' },
      ])
      const next = { operation: 'tasks.resume', input: desk }
      expect((await ask('runs.get', { run_id: held[0]?.id })).next).toEqual(next)
      expect(await notices()).toMatchObject([
        { type: 'work.held', count: 2, next: [next], resolved_at: null },
      ])
      await ask('tasks.resume', desk)
      await done(2)
      expect((await list()).map(({ output }) => output)).toEqual(['Got two', 'Got one'])
      expect((await notices())[0]?.resolved_at).not.toBeNull()
    })

    it('is kept where the platform paused the task after a failure', async () => {
      const reliability = { pause_on_failure: true }
      await ask('tasks.update', { ...desk, task: { prompt: '{{lost}}', reliability } })
      await send('one')
      await until(async () => (await list({ status: 'failed' })).length === 1)
      await send('two')
      expect(await list({ status: 'queued' })).toMatchObject([{ reason: 'task_paused' }])
    })

    it('is kept for an event and a result that is handed on', async () => {
      await ask('tasks.pause', desk)
      const output_sharing = { enabled: true, target_agent_id: 'grace', target_task_id: 'desk' }
      const task = { task_id: 'giver', name: 'Giver', runtime: 'template', prompt: 'A result' }
      await ask('tasks.create', { char_id: 'ada', task: { ...task, output_sharing } })
      const given = await ask('tasks.run', { char_id: 'ada', task_id: 'giver' })
      expect(given.status).toBe('completed')
      expect(await list()).toMatchObject([{ reason: 'task_paused', input: 'A result' }])
      const chain = { root_run_id: given.id, wait_seconds: 1 }
      const waited = await ask<{ chain: object }>('runs.list', chain)
      const next = [{ operation: 'tasks.resume', input: desk }]
      expect(waited.chain).toEqual({ ended: false, going_on: 0, next })
      await ask('tasks.update', { ...desk, task: { enabled: true } })
      await done(1)
    })

    it('is dropped where that is asked for, and can be retried', async () => {
      await ask('tasks.pause', desk)
      await send('one')
      await ask('tasks.resume', { ...desk, held: 'drop' })
      const [run] = await list()
      expect(run).toMatchObject({ status: 'cancelled', reason: 'dropped', input: 'one' })
      await ask('runs.retry', { run_id: run?.id })
      await done(1)
    })

    it('can be cancelled, and ends with its task', async () => {
      await ask('tasks.pause', desk)
      await send('one')
      await send('two')
      const [second] = await list()
      await ask('runs.cancel', { run_id: second?.id })
      await ask('tasks.delete', desk)
      expect((await list()).map(({ status }) => status)).toEqual(['cancelled', 'cancelled'])
      expect(await store.runs.count({ held: { $gt: '' } })).toBe(0)
    })

    itOnEach(
      'begins once, of two processes that resume, and after a crash in between',
      async () => {
        await ask('tasks.pause', desk)
        for (let i = 0; i < 60; i++) await send(`${i}`)
        const other = openWorld(store, { clock })
        await Promise.allSettled([ask('tasks.resume', desk), other.ask('tasks.resume', desk, key)])
        await worker.tick(clock.now())
        await done(60)
        const { runs } = store
        expect(await runs.count({ char_id: 'grace', attempt: 1 })).toBe(60)
        // Resumed by a process that died before it let go what waits.
        await ask('tasks.pause', desk)
        await send('late')
        await store.tasks.update({ id: 'grace/desk' }, { $set: { enabled: true } })
        const [waiting] = await list({ status: 'queued' })
        expect(waiting).toMatchObject({ reason: 'task_paused' })
        await scheduler(world.ports).tick(clock.now())
        await done(61)
      },
    )

    it('begins once where it is resumed in one process while others retry in another', async () => {
      await ask('tasks.pause', desk)
      const [dropped] = (await send('dropped')).runs
      await ask('tasks.resume', { ...desk, held: 'drop' })
      await ask('tasks.pause', desk)
      await send('held')
      const other = openWorld(store, { clock })
      const retry = () => other.ask<Run>('runs.retry', { run_id: dropped }, key)
      const answers = await Promise.allSettled([ask('tasks.resume', desk), retry(), retry()])
      const isDone = answers.map(({ status }) => status === 'fulfilled')
      expect(isDone.filter(Boolean)).toHaveLength(2)
      await worker.tick(clock.now())
      await done(2)
      const ran = await list({ status: 'completed' })
      expect(ran).toHaveLength(2)
      expect(new Set(ran.map(({ output }) => output))).toEqual(new Set(['Got dropped', 'Got held']))
    })

    it('is refused where the hold is full, and a result then leaves a notice and is retried', async () => {
      const quotas = { ...noQuotas.unclaimed, held_runs: 2 }
      const fresh = openWorld(store, { clock, quotas: { unclaimed: quotas, claimed: quotas } })
      await ask('tasks.pause', desk)
      await fresh.ask('messages.send', { char_id: 'ada', to: 'grace', body: '1' }, key)
      await fresh.ask('messages.send', { char_id: 'ada', to: 'grace', body: '2' }, key)
      const full = { char_id: 'ada', to: 'grace', body: '3' }
      expect(await fresh.refusal('messages.send', full, key)).toMatchObject({
        code: 'quota_exceeded',
        hint: expect.stringContaining('held_runs') as string,
      })
      expect(await list()).toHaveLength(2)
      const { items } = await ask<{ items: object[] }>('messages.list', { char_id: 'grace' })
      expect(items).toHaveLength(2)
      const output_sharing = { enabled: true, target_agent_id: 'grace', target_task_id: 'desk' }
      const task = { task_id: 'giver', name: 'Giver', runtime: 'template', prompt: 'A result' }
      await ask('tasks.create', { char_id: 'ada', task: { ...task, output_sharing } })
      await fresh.ask('tasks.run', { char_id: 'ada', task_id: 'giver' }, key)
      const [lost] = await list({ status: 'skipped' })
      expect(lost).toMatchObject({ reason: 'held_runs', input: 'A result' })
      const told = (await notices()).find(({ type }) => type === 'work.skipped')
      expect(told?.next.map(({ operation }) => operation)).toEqual(['tasks.resume', 'runs.retry'])
      const retry = await ask('runs.retry', { run_id: lost?.id })
      expect(retry).toMatchObject({ status: 'queued', input: 'A result' })
    })

    it('does not wait for a task that its owner disabled: it is skipped, and told of', async () => {
      await ask('tasks.update', { ...desk, task: { enabled: false } })
      await ask('messages.send', { char_id: 'ada', to: 'grace', body: 'x', task_id: 'desk' })
      expect(await list()).toMatchObject([{ status: 'skipped', reason: 'task_disabled' }])
      const [notice] = await notices()
      expect(notice).toMatchObject({ type: 'work.skipped', reason: 'task_disabled' })
    })
  })

  describeOnce('for its time', () => {
    const at = (ms: number): string => new Date(clock.now().getTime() + ms).toISOString()

    it('begins once at that time, and not before', async () => {
      const not_before = at(dayMs)
      const run = await ask('tasks.run', { ...desk, input: 'x', not_before })
      expect(run).toMatchObject({ status: 'queued', reason: 'not_before', not_before })
      await scheduler(world.ports).tick(clock.now())
      await worker.tick(clock.now())
      expect(await list({ status: 'queued' })).toHaveLength(1)
      await clock.advance(dayMs)
      const other = openWorld(store, { clock })
      await Promise.all([
        releaseDue(world.ports, clock.now()),
        releaseDue(other.ports, clock.now()),
      ])
      // The other process has woken its own worker, if it was first.
      await worker.tick(clock.now())
      await done(1)
      expect(await list()).toMatchObject([{ output: 'Got x', attempt: 1, not_before }])
    })

    it('waits for the time that the clock shows, also after that goes back a year', async () => {
      await ask('tasks.run', { ...desk, input: 'x', not_before: at(60_000) })
      const before = clock.now().getTime()
      clock.set(before - 365 * dayMs)
      await scheduler(world.ports).tick(clock.now())
      expect(await list({ status: 'queued' })).toHaveLength(1)
      clock.set(before + 120_000)
      await scheduler(world.ports).tick(clock.now())
      await done(1)
    })

    it('can be cancelled, takes no place, and hinders no fire', async () => {
      const reliability = { overlap_policy: 'skip' }
      await ask('tasks.update', { ...desk, task: { reliability } })
      const { id: run_id } = await ask('tasks.run', { ...desk, not_before: at(dayMs) })
      expect(await store.runs.count({ open: 'grace/desk' })).toBe(0)
      await ask('runs.cancel', { run_id })
      await clock.advance(2 * dayMs)
      expect(await releaseDue(world.ports, clock.now())).toBe(0)
      expect(await list()).toMatchObject([{ status: 'cancelled' }])
    })

    it('is now where the time has passed, and at most 366 days ahead', async () => {
      const now = await ask('tasks.run', { ...desk, input: 'x', not_before: at(-1000) })
      expect(now.status).toBe('completed')
      const late = { ...desk, not_before: at(367 * dayMs) }
      expect(await world.refusal('tasks.run', late, key)).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/not_before' }],
      })
    })

    it('ends with a task that is gone', async () => {
      await ask('tasks.run', { ...desk, not_before: at(1000) })
      await store.tasks.delete({ id: 'grace/desk' })
      await clock.advance(2000)
      await releaseDue(world.ports, clock.now())
      expect(await list()).toMatchObject([{ status: 'cancelled', reason: 'task_deleted' }])
    })

    it('waits a whole day for an agent, from its time on', async () => {
      await ask('tasks.update', { ...desk, task: { runtime: 'prompt' } })
      const { id: run_id } = await ask('tasks.run', { ...desk, not_before: at(3 * dayMs) })
      await clock.advance(3 * dayMs)
      await releaseDue(world.ports, clock.now())
      const lease = await ask<{ lease_token: string }>('runs.lease', { char_id: 'grace' })
      await ask('runs.fail', { run_id, ...lease, retry: true }).catch(() => undefined)
      await worker.tick(clock.now())
      expect((await ask('runs.get', { run_id })).status).not.toBe('timed_out')
    })
  })
})
