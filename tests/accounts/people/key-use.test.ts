import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { StoredNotice } from '#src/accounts/notice.ts'
import { operations } from '#src/catalog.ts'
import type { Store } from '#src/ports/store.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const minute = 60_000
const operation = operations.find(({ name }) => name === 'account.get')

describe.each(stores())('the use of a key on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let owner: { key: string; id: string }
  let made: { id: string; key: string }

  beforeEach(async () => {
    store = await kind.open()
    clock = fakeClock()
    world = openWorld(store, { clock })
    owner = await world.account()
    made = await world.ask('api_keys.create', { name: 'k' }, owner.key)
  })
  afterEach(() => store.close())

  const use = async (address = '192.0.2.0', by = world): Promise<void> => {
    if (!operation) throw new Error('there is no account.get')
    const call = { operation, input: {}, credential: made.key, address, requestId: 'test' }
    expect((await by.core.serve(call)).refusal).toBeUndefined()
  }
  const record = async () => store.api_keys.get(made.id)
  const lastUsed = async (): Promise<number> => Date.parse((await record())?.last_used_at ?? '')
  const told = async (): Promise<StoredNotice[]> => {
    const notices = await store.notices.find({ owner_id: owner.id })
    return notices.filter(({ type }) => type === 'key.new_network')
  }

  it('is known from the first one, and within a minute of each', async () => {
    await clock.advance(minute / 2)
    await use()
    await until(async () => (await lastUsed()) === clock.now().getTime())
    for (const pause of [minute - 1, 1, minute * 5]) {
      await clock.advance(pause)
      await use()
      await until(async () => Math.abs((await lastUsed()) - clock.now().getTime()) < minute)
    }
  })

  it('is known where the clock was set back', async () => {
    await use()
    await clock.advance(-86_400_000)
    await use()
    await until(async () => (await lastUsed()) === clock.now().getTime())
  })

  itOnEach('from a new network is told to its owner, once, by however many processes', async () => {
    await use()
    await until(async () => (await record())?.networks?.length === 1)
    expect(await told()).toEqual([])
    const other = openWorld(store, { clock })
    await Promise.all([use('198.51.100.0'), use('198.51.100.0', other), use('198.51.100.0', other)])
    await until(async () => (await told()).length > 0)
    await use('198.51.100.0')
    await use('192.0.2.0', other)
    expect(await record()).toMatchObject({ networks: ['192.0.2.0', '198.51.100.0'] })
    const notices = await told()
    expect(notices).toHaveLength(1)
    expect(notices[0]?.message).toContain('198.51.100.0')
  })

  it('from many networks keeps the newest of them', async () => {
    for (let i = 0; i < 40; i++) {
      await use(`10.0.${i}.0`)
      await until(async () => (await record())?.networks?.includes(`10.0.${i}.0`) ?? false)
    }
    expect((await record())?.networks).toHaveLength(32)
  })
})
