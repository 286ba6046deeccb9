import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exits } from '#adapters/commands/exits.ts'
import { drain } from '#adapters/commands/runs/drain.ts'
import type { Store } from '#src/ports/store.ts'
import { beginDrain, endDrain, runsUnderWork } from '#src/runs/operated/drain.ts'
import { failedRuns, retryRun, retryRuns } from '#src/runs/operated/retry.ts'
import { stuckRuns } from '#src/runs/operated/stuck.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { noQuotas, openWorld, type World, type WorldOptions } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

interface Leased {
  run: Run | null
  reason: string | null
  lease_token: string
}

const hour = 3_600_000
const forAgents = { task_id: 't', name: 'T', runtime: 'oracle' }
/** It asks a place that is not allowed, and so fails at once. */
const failing = { task_id: 'f', name: 'F', runtime: 'api', prompt: 'http://127.0.0.1:9/' }

describe.each(stores())('what an operator does with runs on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let made: World
  let account: { key: string; id: string }
  const running: Runner[] = []

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    const now = (): Promise<Date> => Promise.resolve(clock.now())
    store = { ...opened, now, leaseTime: now }
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await store.close()
  })

  const open = async (options: WorldOptions = {}): Promise<Runner> => {
    made = openWorld(store, { clock, ...options })
    account = await made.account()
    await ask('characters.create', { character: { id: 'ada', name: 'Ada' } })
    for (const task of [forAgents, failing]) await ask('tasks.create', { char_id: 'ada', task })
    const one = runner(made.ports, 4)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }
  const ask = <T = unknown>(name: string, input: object): Promise<T> =>
    made.ask<T>(name, input, account.key)
  const run = (task_id: string): Promise<Run> => ask('tasks.run', { char_id: 'ada', task_id })
  const read = (run_id: string): Promise<Run> => ask('runs.get', { run_id })
  const ended = (run_id: string): Promise<void> =>
    until(async () => (await read(run_id)).finished_at !== null)
  const lease = (): Promise<Leased> => ask('runs.lease', { lease_seconds: 3600 })
  const stuck = (longerThan: number, reason?: string, isDrained = false) =>
    stuckRuns(
      store,
      { longerThan, accountId: account.id, reason, limit: 10 },
      clock.now(),
      isDrained,
    )

  it('claims no run while they are drained, for workers and for agents, and all of them afterwards', async () => {
    const one = await open()
    const held = await run('t')
    const { lease_token } = await lease()
    expect(await runsUnderWork(store)).toBe(1)
    const since = await beginDrain(store, clock.now())
    await clock.advance(1000)
    expect(await beginDrain(store, clock.now())).toBe(since)
    const [waiting, queued] = [await run('t'), await run('f')]
    await one.tick(clock.now())
    expect(await lease()).toMatchObject({ run: null, reason: 'draining' })
    expect((await read(queued.id)).status).toBe('queued')
    expect((await stuck(0, 'draining', true)).map((row) => row.run_id).toSorted()).toEqual(
      [waiting.id, queued.id].toSorted(),
    )
    // The holder of one may end it, and gets no other.
    const done = await ask<{ next_lease: unknown }>('runs.complete', {
      run_id: held.id,
      lease_token,
      output: 'done',
      lease_next: true,
    })
    expect(done.next_lease).toBeNull()
    expect(await runsUnderWork(store)).toBe(0)
    expect([await endDrain(store), await endDrain(store)]).toEqual([true, false])
    await clock.advance(1000)
    await one.tick(clock.now())
    await ended(queued.id)
    expect((await lease()).run?.id).toBe(waiting.id)
  })

  it('waits no longer for those under work once they are claimed again', async () => {
    await open()
    await run('t')
    await lease()
    const waits = drain(made.ports, { isOff: false, waitSeconds: 600, isJson: true })
    await until(() => endDrain(store))
    await clock.advance(2000)
    expect(await waits).toBe(exits.failed)
  })

  it('shows what waits for long, with what it waits for', async () => {
    await open()
    const leased = await run('t')
    await lease()
    const waiting = await run('t')
    await clock.advance(2 * hour)
    const young = await run('t')
    const reasons = async () => (await stuck(3600)).map((row) => [row.run_id, row.reason])
    expect(await reasons()).toEqual([
      [leased.id, 'lease_expired'],
      [waiting.id, 'waiting_for_worker'],
    ])
    expect(await stuck(3600, 'waiting_for_worker')).toMatchObject([
      { run_id: waiting.id, account_id: account.id, task_id: 't', seconds: 7200 },
    ])
    await store.accounts.update({ id: account.id }, { $set: { suspended_at: young.created_at } })
    expect(await stuck(3600, 'account_suspended')).toMatchObject([{ run_id: waiting.id }])
  })

  it('retries what has failed as the operator, once each, within the quotas of the account', async () => {
    const one = await open({ quotas: quotas({ runs_a_day: 4 }) })
    const failed = [await run('f'), await run('f')]
    await one.tick(clock.now())
    for (const { id } of failed) await ended(id)
    const [first, second] = await Promise.all(failed.map(({ id }) => read(id)))
    expect(first).toMatchObject({ status: 'failed', error: { code: expect.any(String) } })
    const again = await retryRun(made.ports, first?.id ?? '')
    expect(await read(again)).toMatchObject({
      retry_of: first?.id,
      started_by: { kind: 'operator' },
      trigger: { type: 'manual', caller: { operator: true } },
    })
    await expect(retryRun(made.ports, first?.id ?? '')).rejects.toMatchObject({
      code: 'run_under_way',
    })
    await expect(retryRun(made.ports, 'run_none')).rejects.toMatchObject({ code: 'run_not_found' })
    const owner = await store.accounts.get(account.id)
    if (!owner) throw new Error('the account is there')
    const all = (reason: string | undefined) =>
      retryRuns(made.ports, owner, failedRuns(owner.id, reason), 10, () => undefined)
    expect((await all('another_reason')).retries).toEqual([])
    expect((await all(second?.error?.code)).retries).toMatchObject([{ run_id: second?.id }])
    // The account has had its runs of the day.
    await one.tick(clock.now())
    await ended(again)
    await expect(all(undefined)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  const quotas = (changed: object) => {
    const table = { ...noQuotas.unclaimed, ...changed }
    return { unclaimed: table, claimed: table }
  }
})
