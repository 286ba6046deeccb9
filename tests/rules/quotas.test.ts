import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admitBytesOf, roomFor } from '#src/accounts/room.ts'
import { Refusal } from '#src/core/errors.ts'
import { limiter } from '#src/core/admission/limits.ts'
import { newRunWithoutTask } from '#src/runs/new-run.ts'
import type { QuotaTable } from '#src/core/counts/quota-table.ts'
import { quotas, sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import { mayRun, noRunLeft, sellerOf } from '#src/money/orders/room.ts'
import { Unavailable, Unmet, type Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld } from '#tests/support/world.ts'

const table: QuotaTable = {
  unclaimed: {
    agents: 2,
    apps: 1,
    runs_a_day: 3,
    stored_bytes: 100,
    concurrent_runs: 1,
    queued_runs: 2,
    held_runs: 2,
    paid_calls_hour: 3,
  },
  claimed: {
    agents: 5,
    apps: 4,
    runs_a_day: 9,
    stored_bytes: 200_000,
    concurrent_runs: 8,
    queued_runs: 40,
    held_runs: 4,
    paid_calls_hour: 9,
  },
}
const endless = { ...table.claimed, agents: Infinity, runs_a_day: Infinity, stored_bytes: Infinity }
const full = { code: 'quota_exceeded' }

describe.each(stores())('quotas on $name', (kind) => {
  let store: Store
  let own: Quotas
  let accountId: string
  let clock: FakeClock
  let owner: { accountId: string; claimed: boolean }

  const quotasOf = (on: Store, of: QuotaTable = table): Quotas =>
    quotas(on, limiter(on, clock), of, clock)
  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    own = quotasOf(store)
    const world = openWorld(store)
    // Another account exists already.
    await world.account()
    accountId = (await world.account()).id
    owner = { accountId, claimed: false }
  })
  afterEach(() => store.close())

  const used = async () => (await own.usage(owner)).stored_bytes

  it.each(['agents', 'apps'] as const)('have room for so many %s and no more', async (name) => {
    const limit = table.unclaimed[name]
    for (let n = 0; n < limit; n++) {
      await own.admit(name, owner)
      await store.commit([own.counted(name, 1, owner)])
    }
    await expect(own.admit(name, owner)).rejects.toMatchObject(full)
    await expect(store.commit([own.counted(name, 1, owner)])).rejects.toThrow(Unmet)
    const claimed = { accountId, claimed: true }
    await own.admit(name, claimed)
    await store.commit([own.counted(name, 1, claimed)])
    expect(await own.usage(owner)).toMatchObject({ [name]: limit + 1 })
    // An account far over its quota may always have fewer.
    await store.usage.update({ id: accountId }, { $inc: { [name]: 50 } })
    await store.commit([own.counted(name, -1, owner)])
    expect(await own.usage(owner)).toMatchObject({ [name]: limit + 50 })
  })

  it('count many at once, up to the last', async () => {
    await expect(store.commit([own.counted('agents', 3, owner)])).rejects.toThrow(Unmet)
    await store.commit([own.counted('agents', 2, owner)])
    await store.commit([
      quotasOf(store, { ...table, unclaimed: endless }).counted('agents', 9, owner),
    ])
    expect(await own.usage(owner)).toMatchObject({ agents: 11 })
  })

  it('are of each account by itself', async () => {
    await store.commit([own.counted('agents', 2, owner)])
    own.addBytes(accountId, 100)
    const other = { accountId: (await openWorld(store).account()).id, claimed: false }
    for (const name of ['agents', 'stored_bytes'] as const) {
      await expect(own.admit(name, owner)).rejects.toMatchObject(full)
      await own.admit(name, other)
    }
    await own.settle()
    expect(await own.usage(other)).toMatchObject({ agents: 0, stored_bytes: 0 })
  })

  it('do not refuse concurrent runs: those wait', async () => {
    for (let n = 0; n < 3; n++) await own.admit('concurrent_runs', owner)
    await store.usage.update({ id: accountId }, { $inc: { agents: 50 } })
    await own.admit('concurrent_runs', owner)
  })

  it('let so many paid calls be made in an hour, in all processes together', async () => {
    const other = quotasOf(store)
    await own.admit('paid_calls_hour', owner)
    await other.admit('paid_calls_hour', owner)
    await own.admit('paid_calls_hour', owner)
    for (const one of [own, other]) {
      await expect(one.admit('paid_calls_hour', owner)).rejects.toMatchObject(full)
    }
    expect(await own.usage(owner)).toMatchObject({ paid_calls_hour: 3 })
    await clock.advance(3_600_000)
    await own.admit('paid_calls_hour', owner)
    const none = quotasOf(store, { ...table, unclaimed: { ...endless, paid_calls_hour: 0 } })
    await expect(none.admit('paid_calls_hour', owner)).rejects.toMatchObject(full)
    expect(await none.usage(owner)).toMatchObject({ paid_calls_hour: 0 })
  })

  it('let so many runs begin in a day, and say how many did', async () => {
    for (let n = 0; n < 3; n++) {
      expect(await mayRun({ quotas: own }, owner)).toBe(true)
      await own.admit('runs_a_day', owner)
    }
    expect(await mayRun({ quotas: own }, owner)).toBe(false)
    await expect(own.admit('runs_a_day', owner)).rejects.toMatchObject(full)
    expect(await own.usage(owner)).toMatchObject({ runs_a_day: 3 })
    const unlimited = quotasOf(store, { ...table, unclaimed: endless })
    await unlimited.admit('runs_a_day', owner)
    expect(await mayRun({ quotas: unlimited }, owner)).toBe(true)
    expect(await unlimited.usage(owner)).toMatchObject({ runs_a_day: 0 })
  })

  it('let so many runs wait, and count them in the store after each tenth', async () => {
    let counts = 0
    const counting: Store = {
      ...store,
      runs: {
        ...store.runs,
        count: (filter) => {
          counts += 1
          return store.runs.count(filter)
        },
      },
    }
    const counted = quotasOf(counting)
    const claimed = { accountId, claimed: true }
    const queued = (): Promise<void> => {
      const agent = { id: 'ada', app_id: null, owner_id: accountId }
      const start = { trigger: { type: 'manual', at: '' }, input: null }
      return store.runs.insert(newRunWithoutTask(agent, start, clock.now()))
    }
    for (let n = 0; n < 40; n++) {
      await counted.admit('queued_runs', claimed)
      await queued()
    }
    // Each time those of others are counted too, and those that paused tasks hold.
    expect(counts).toBe(27)
    await expect(counted.admit('queued_runs', claimed)).rejects.toMatchObject(full)
    expect(await counted.queuedRuns(accountId)).toBe(40)
    // Repeated requests do not count in the store again.
    counts = 0
    for (let n = 0; n < 20; n++) {
      await expect(counted.admit('queued_runs', claimed)).rejects.toMatchObject(full)
    }
    expect(counts).toBe(0)
    // Those that have ended make room, and those of others take none.
    const [one] = await store.runs.find({ owner_id: accountId }, { limit: 1 })
    await store.runs.update({ id: one?.id ?? '' }, { $set: { status: 'completed' } })
    await clock.advance(1000)
    await counted.admit('queued_runs', claimed)
    await expect(counted.admit('queued_runs', claimed)).rejects.toMatchObject(full)
    await counted.admit('queued_runs', { accountId: 'other', claimed: true })
    await quotasOf(counting, { ...table, claimed: { ...endless, queued_runs: Infinity } }).admit(
      'queued_runs',
      claimed,
    )
  })

  it('count bytes in memory at first, and are full at the last one', async () => {
    own.addBytes(accountId, 60)
    own.addBytes(accountId, 39)
    await own.admit('stored_bytes', owner)
    own.addBytes(accountId, 1)
    await expect(own.admit('stored_bytes', owner)).rejects.toMatchObject(full)
    expect(await used()).toBe(100)
    expect(await store.usage.get(accountId)).toMatchObject({ bytes: 0 })
    await own.settle()
    expect(await store.usage.get(accountId)).toMatchObject({ bytes: 100 })
    await expect(own.admit('stored_bytes', owner)).rejects.toMatchObject(full)
    await expect(quotasOf(store).admit('stored_bytes', owner)).rejects.toMatchObject(full)
    expect(await used()).toBe(100)
    await own.settle()
    await own.settle()
    own.addBytes(accountId, -30)
    await own.admit('stored_bytes', owner)
    expect(await used()).toBe(70)
    await own.settle()
    expect(await store.usage.get(accountId)).toMatchObject({ bytes: 70 })
    own.addBytes(accountId, -500)
    expect(await used()).toBe(0)
  })

  it.each([65_536, -65_536])('write %i bytes at once, and nothing less', async (bytes) => {
    const writes: unknown[] = []
    const watched: Store = {
      ...store,
      usage: {
        ...store.usage,
        update: (...args) => {
          writes.push(args[1])
          return store.usage.update(...args)
        },
      },
    }
    const watching = quotasOf(watched)
    watching.addBytes(accountId, bytes - Math.sign(bytes))
    expect(writes).toEqual([])
    watching.addBytes(accountId, Math.sign(bytes))
    expect(writes).toEqual([{ $inc: { bytes } }])
  })

  it('count again what could not be written', async () => {
    let isAway = true
    const away = quotasOf({
      ...store,
      usage: {
        ...store.usage,
        update: (...args) =>
          isAway ? Promise.reject(new Unavailable('away')) : store.usage.update(...args),
      },
    })
    away.addBytes(accountId, 70)
    await expect(away.settle()).rejects.toThrow(Unavailable)
    // It is written at once, and a failure is reported to no one.
    away.addBytes(accountId, 70_000)
    await setImmediate()
    isAway = false
    await away.settle()
    expect(await store.usage.get(accountId)).toMatchObject({ bytes: 70_070 })
  })

  it('lose nothing of a write that fails after others were written', async () => {
    const outage = Promise.withResolvers<never>()
    let isAway = true
    const slow = quotasOf({
      ...store,
      usage: {
        ...store.usage,
        update: (...args) => (isAway ? outage.promise : store.usage.update(...args)),
      },
    })
    slow.addBytes(accountId, 70_000)
    const settled = slow.settle()
    await setImmediate()
    isAway = false
    outage.reject(new Unavailable('away'))
    await settled
    await slow.settle()
    expect(await store.usage.get(accountId)).toMatchObject({ bytes: 70_000 })
  })

  it('know what was stored before where something is counted before anybody looks', async () => {
    await store.usage.update({ id: accountId }, { $inc: { bytes: 100 } })
    own.addBytes(accountId, -1)
    await own.admit('stored_bytes', owner)
    own.addBytes(accountId, 1)
    await expect(own.admit('stored_bytes', owner)).rejects.toMatchObject(full)
    own.addBytes(accountId, 5)
    const fresh = quotasOf(store)
    fresh.addBytes(accountId, 1)
    await expect(fresh.admit('stored_bytes', owner)).rejects.toMatchObject(full)
  })

  it('of an unknown account are empty', async () => {
    const unknown = { accountId: 'unknown', claimed: false }
    const nothing = { agents: 0, apps: 0, runs_a_day: 0, paid_calls_hour: 0, stored_bytes: 0 }
    expect(await own.usage(unknown)).toEqual(nothing)
    for (const name of ['agents', 'apps', 'stored_bytes'] as const) await own.admit(name, unknown)
    expect(await sellerOf({ store }, 'unknown')).toEqual(unknown)
    await admitBytesOf({ store, quotas: own }, 'unknown')
    own.addBytes('unknown', 5)
    await own.settle()
  })

  it('are wider for a seller that a person holds', async () => {
    expect(await sellerOf({ store }, accountId)).toEqual(owner)
    await store.accounts.update({ id: accountId }, { $set: { holder_id: 'per_1' } })
    expect(await sellerOf({ store }, accountId)).toEqual({ accountId, claimed: true })
    own.addBytes(accountId, 100)
    await admitBytesOf({ store, quotas: own }, accountId)
    await store.accounts.update({ id: accountId }, { $set: { holder_id: null } })
    await expect(admitBytesOf({ store, quotas: own }, accountId)).rejects.toMatchObject(full)
    expect(noRunLeft).toThrow(expect.objectContaining(full) as Error)
  })

  it('are said in words for others where those fill them, and faults are not', async () => {
    own.addBytes(accountId, 100)
    await expect(roomFor({ quotas: own }, owner)).rejects.toMatchObject({
      ...full,
      message: "The quota stored_bytes of the agent's account is used up.",
    })
    for (const fault of [new Unavailable('away'), new Refusal('unavailable', 'Later.')]) {
      const away = { ...own, admit: () => Promise.reject(fault) }
      await expect(roomFor({ quotas: away }, owner)).rejects.toBe(fault)
    }
  })
})

it('a document counts the length of its JSON, and what has none counts nothing', () => {
  expect(sizeOf({ a: 1 }, 'bc', undefined)).toBe('{"a":1}'.length + '"bc"'.length)
})
