import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { digest } from '#src/core/ids.ts'
import { newRunWithoutTask } from '#src/runs/new-run.ts'
import {
  attemptsUsed,
  claimDue,
  extend,
  handBack,
  handBackBegun,
  isTakenOver,
  leaseNext,
  requeued,
  waitingForBrain,
} from '#src/runs/claim.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const settings = { runSeconds: { unclaimed: 600, claimed: 600 } }
const at = (seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()

describe.each(stores())('claims of runs on $name', (kind) => {
  let opened: Store
  let store: Store
  let time: Date
  let clock: FakeClock
  beforeEach(async () => {
    opened = await kind.open()
    time = now
    clock = fakeClock(now.getTime())
    store = { ...opened, now: () => Promise.resolve(time), leaseTime: () => Promise.resolve(time) }
  })
  afterEach(() => opened.close())

  const queued = async (more: Partial<StoredRun> = {}): Promise<StoredRun> => {
    const agent = { id: 'ada', app_id: null, owner_id: 'acc' }
    const start = { trigger: { type: 'manual', at: at(0) }, input: 'x' }
    const run = { ...newRunWithoutTask(agent, start, now), ...more }
    await store.runs.insert(run)
    return run
  }
  const forWorker = { waits_for: 'worker', due_at: at(0) } as const
  const read = (run: StoredRun) => store.runs.get(run.id)

  it('take the run that has been due longest, and none that is not due', async () => {
    const due = await queued({ ...forWorker, due_at: at(-1), reason: 'handed_back' })
    // Created later, but due earlier.
    const early = await queued({ ...forWorker, due_at: at(-2) })
    const late = await queued({ ...forWorker, due_at: at(9000) })
    const held = {
      token: 'wrk_other',
      by: 'worker',
      at: at(-29),
      until: at(1),
      longest: at(9),
    } as const
    const stays = [
      await queued({ ...forWorker, due_at: at(1), status: 'running', claim: held }),
      await queued({ ...forWorker, due_at: at(-9), owner_id: 'other' }),
      await queued({ waits_for: 'room', due_at: at(-9) }),
      await queued({ waits_for: 'brain', due_at: at(-9) }),
      await queued({ waits_for: 'turn', due_at: at(-9) }),
    ]
    const claim = {
      token: expect.stringMatching(/^wrk_/) as string,
      by: 'worker',
      at: at(0),
      until: at(30),
      longest: at(600),
    }
    const first = await claimDue({ store, clock, settings }, 'acc')
    expect(first).toEqual({
      ...early,
      taken: 1,
      status: 'running',
      waits_for: 'worker',
      claim,
      due_at: at(30),
      started_at: at(0),
      reason: null,
      attempt: 1,
    })
    const second = await claimDue({ store, clock, settings }, 'acc')
    expect(second).toMatchObject({ id: due.id, reason: null, claim })
    expect(second?.claim?.token).not.toBe(first?.claim?.token)
    expect(await claimDue({ store, clock, settings }, 'acc')).toMatchObject({ id: late.id })
    expect(await claimDue({ store, clock, settings }, 'acc')).toBeUndefined()
    expect(await Promise.all(stays.map(read))).toEqual(stays)
    // A lease that has run out is due again.
    time = new Date(at(30))
    expect(await claimDue({ store, clock, settings }, 'acc')).toMatchObject({ id: stays[0]?.id })
    expect(await claimDue({ store, clock, settings }, 'acc')).toMatchObject({ attempt: 2 })
  })

  it('of an agent are of the oldest that waits for one, among those that it asks for', async () => {
    const ofAnother = await queued({ owner_id: 'other' })
    await queued({ ...forWorker })
    await queued({ status: 'running', claim: null })
    const oldest = await queued()
    const next = await queued()
    const leased = await leaseNext({ store, clock }, { owner_id: 'acc' }, 90)
    expect(leased?.run).toEqual({
      ...oldest,
      status: 'running',
      reason: null,
      claim: {
        token: digest(leased?.token ?? ''),
        by: 'brain',
        at: at(0),
        until: at(90),
        longest: at(86_400),
        seconds: 90,
      },
      due_at: at(90),
      started_at: at(0),
      attempt: 1,
      taken: 1,
    })
    expect(leased?.token).toMatch(/^lse_/)
    const newest = await queued()
    expect(
      await leaseNext({ store, clock }, { char_id: 'ada', owner_id: 'acc' }, 90),
    ).toMatchObject({
      run: { id: next.id },
    })
    expect(await leaseNext({ store, clock }, { owner_id: 'acc' }, 90)).toMatchObject({
      run: { id: newest.id },
    })
    expect(await leaseNext({ store, clock }, { owner_id: 'acc' }, 90)).toBeUndefined()
    for (let i = 0; i < 3; i++) await queued()
    expect(await leaseNext({ store, clock }, { char_id: 'ada' }, 90)).toMatchObject({
      run: { id: ofAnother.id },
    })
  })

  it('have the time that the plan of their account gives them', async () => {
    const settings = { runSeconds: { unclaimed: 60, claimed: 3600 } }
    // What else an account has does not matter here.
    await store.accounts.insert({ id: 'acc', holder_id: null } as never)
    await queued(forWorker)
    await queued(forWorker)
    const claim = () => claimDue({ store, clock, settings }, 'acc')
    expect(await claim()).toMatchObject({ claim: { until: at(30), longest: at(60) } })
    await store.accounts.update({ id: 'acc' }, { $set: { holder_id: 'usr_1' } })
    expect(await claim()).toMatchObject({ claim: { until: at(30), longest: at(3600) } })
  })

  it('last as long as they are extended, at most to their longest, and while they are held', async () => {
    const claimed = async () => {
      await queued(forWorker)
      const run = await claimDue({ store, clock, settings }, 'acc')
      if (!run?.claim) throw new Error('it is claimed')
      return { run, claim: run.claim }
    }
    const bystander = await claimed()
    const { run, claim } = await claimed()
    time = new Date(at(29))
    expect(await extend({ store }, run, claim, 30)).toMatchObject({
      due_at: at(59),
      claim: { ...claim, until: at(59) },
    })
    expect(await extend({ store }, run, { ...claim, longest: at(40) }, 30)).toMatchObject({
      due_at: at(40),
      claim: { until: at(40) },
    })
    expect(await extend({ store }, run, { ...claim, token: 'wrk_other' }, 30)).toBeUndefined()
    expect(await read(bystander.run)).toEqual(bystander.run)
    time = new Date(at(40))
    expect(await extend({ store }, run, claim, 30)).toBeUndefined()
  })

  it('say that one before ran out, once for each that did, and never after a return', async () => {
    await queued(forWorker)
    const claimed = async (second: number) => {
      time = new Date(at(second))
      const run = await claimDue({ store, clock, settings }, 'acc')
      if (!run) throw new Error('it is due')
      return run
    }
    expect(isTakenOver(await claimed(0))).toBe(false)
    const second = await claimed(31)
    expect(isTakenOver(second)).toBe(true)
    await handBackBegun({ store, clock }, second)
    // Two of its attempts are used up, of which one ran out.
    const third = await claimed(32)
    expect(attemptsUsed(third)).toBe(2)
    expect(isTakenOver(third)).toBe(false)
    await store.commit([requeued(third).write])
    await store.runs.update({ id: third.id }, { $set: forWorker })
    expect(isTakenOver(await claimed(33))).toBe(false)
    expect(isTakenOver(await claimed(64))).toBe(true)
  })

  it('are handed back by their holder alone, and count as no attempt', async () => {
    await queued(forWorker)
    await queued(forWorker)
    const [other, run] = [
      await claimDue({ store, clock, settings }, 'acc'),
      await claimDue({ store, clock, settings }, 'acc'),
    ]
    if (!other || !run?.claim) throw new Error('they are claimed')
    const back = { due_at: at(5), reason: 'busy', waits_for: 'room' } as const
    await handBack({ store }, { ...run, claim: { ...run.claim, token: 'wrk_other' } }, back)
    await handBack({ store }, { ...run, claim: null }, back)
    expect(await read(run)).toEqual(run)
    await handBack({ store }, run, back)
    const left = { ...back, status: 'queued', claim: null, attempt: 0, taken: 0 }
    expect(await read(run)).toEqual({ ...run, ...left })
    expect(await read(other)).toEqual(other)
  })

  it('that were given up go back to the queue of agents, unless taken by now', async () => {
    await queued()
    await queued()
    const [other, leased] = [
      await leaseNext({ store, clock }, {}, 60),
      await leaseNext({ store, clock }, {}, 60),
    ]
    if (!other || !leased) throw new Error('they are leased')
    const { run, write } = requeued(leased.run)
    const waits = { reason: 'waiting_for_worker', waits_for: 'brain', taken: 0 }
    const back = { status: 'queued', claim: null, ...waits }
    expect(run).toEqual({ ...leased.run, ...back, due_at: at(86_400) })
    expect(waitingForBrain(run)).toMatchObject({ due_at: at(86_400) })
    await store.commit([write])
    expect(await read(run)).toEqual(run)
    expect(await read(other.run)).toEqual(other.run)
    await expect(store.commit([write])).rejects.toThrow()
    const unclaimed = requeued({ ...run, status: 'waiting_input' })
    await expect(store.commit([unclaimed.write])).rejects.toThrow()
    await store.commit([requeued(run).write])
  })
})
