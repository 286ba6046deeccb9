import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '#adapters/store/sqlite/schema.ts'
import { sqliteStore } from '#adapters/store/sqlite/sqlite.ts'
import { reserveOf, watchSpace, type Disk } from '#adapters/store/space/watch.ts'
import type { Room } from '#src/ports/space.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const hook = {
  task_id: 'hook',
  name: 'Hook',
  runtime: 'template',
  triggers: [{ type: 'webhook', config: { path: 'in' } }],
}

describe('where little room is left', () => {
  const [sqlite] = stores()
  let world: World
  const space = {
    room: 'ok' as Room,
    noteFull() {
      this.room = 'full'
    },
    close: () => undefined,
  }
  let key: string

  beforeEach(async () => {
    space.room = 'ok'
    if (!sqlite) throw new Error('there is no store')
    world = openWorld(await sqlite.open(), { space })
    const account = await world.account()
    key = account.key
    const character = { id: 'ada', name: 'Ada', heart: { tasks: [hook] } }
    await world.ask('characters.create', { character }, key)
    space.room = 'low'
  })
  afterEach(() => world.ports.store.close())

  const eve = { character: { id: 'eve', name: 'Eve' } }
  const health = () => world.ask('health.get', {})

  test('unclaimed accounts and strangers write nothing, and read and delete all the same', async () => {
    const called = { char_id: 'ada', path: 'in', body: 1 }
    for (const [name, input, as] of [
      ['characters.create', eve, key],
      ['agent_claim.create', {}, undefined],
      ['hooks.receive', called, undefined],
      ['tasks.run', { char_id: 'ada', task_id: 'hook' }, key],
    ] as const) {
      const refusal = await world.refusal(name, input, as)
      expect(refusal, name).toMatchObject({ code: 'store_full', retry_after_s: 60 })
    }
    await world.ask('characters.get', { char_id: 'ada' }, key)
    await world.ask('characters.delete', { char_id: 'ada' }, key)
  })

  test('claimed accounts go on, and persons sign in', async () => {
    await world.ports.store.accounts.update({ holder_id: null }, { $set: { holder_id: 'usr_1' } })
    // The first server caches for a moment that the account is unclaimed.
    const fresh = openWorld(world.ports.store, { space })
    await fresh.ask('characters.create', eve, key)
    const { code } = await world.refusal('auth.login', {
      email: 'a@b.example',
      password: 'x'.repeat(12),
    })
    expect(code).toBe('login_failed')
  })

  test('nothing of an unclaimed account runs by itself', async () => {
    const { reasonToSkip } = await import('#src/runs/skip-reason.ts')
    const task = await world.ports.store.tasks.get('ada/hook')
    if (!task) throw new Error('there is no task')
    expect(await reasonToSkip(world.ports, task)).toBe('quota')
    space.room = 'ok'
    expect(await reasonToSkip(world.ports, task)).toBeUndefined()
  })

  test('the health is ok, and says so', async () => {
    expect(await health()).toEqual({ status: 'ok', store: 'low' })
    space.room = 'full'
    expect(await health()).toEqual({ status: 'ok', store: 'full' })
    space.room = 'ok'
    expect(await health()).toEqual({ status: 'ok' })
  })
})

describe('the embedded store', () => {
  const [sqlite] = stores()

  test('that has no room for a write is full and healthy; a damaged one is not healthy', async () => {
    const place = await sqlite?.place()
    if (!place) throw new Error('there is no store')
    const database = await openDatabase(place.folder)
    const store = sqliteStore(database)
    const space = await watchSpace({
      look: () => Promise.resolve({ free: 1e12, all: 1e13 }),
      reserve: undefined,
      clock: fakeClock(),
    })
    const world = openWorld(store, { space })
    const { key } = await world.account()
    database.exec(
      `PRAGMA max_page_count=${Number(database.prepare('PRAGMA page_count').get()?.page_count)}`,
    )
    const bio = 'x'.repeat(500_000)
    const character = { id: 'ada', name: 'Ada', bio }
    expect((await world.refusal('characters.create', { character }, key)).code).toBe('unavailable')
    expect(await world.ask('health.get', {})).toEqual({ status: 'ok', store: 'full' })
    database.exec('PRAGMA max_page_count=1000000')
    await world.ports.store.isHealthy()
    await store.close()

    const path = join(place.folder, 'abode.db')
    const damaged = sqliteStore(await openDatabase(place.folder))
    const other = openWorld(damaged)
    expect(await other.ask('health.get', {})).toEqual({ status: 'ok' })
    await writeFile(path, Buffer.alloc(4_000_000, 7))
    const missing = await damaged.characters
      .find({ name: 'Missing' })
      .catch((cause: unknown) => cause)
    expect(missing).toMatchObject({ name: 'Unavailable' })
    const refusal = await other.refusal('health.get', {})
    expect(refusal).toMatchObject({ code: 'unavailable', status: 'unavailable' })
    await damaged.close().catch(() => undefined)
    await place.remove()
  })
})

test('the room of a disk is looked at again and again, and a write that failed is remembered', async () => {
  const clock = fakeClock()
  const gigabyte = 2 ** 30
  let disk: Disk | undefined = { free: 600 * gigabyte, all: 1000 * gigabyte }
  const space = await watchSpace({
    look: () => (disk ? Promise.resolve(disk) : Promise.reject(new Error('gone'))),
    reserve: undefined,
    clock,
  })
  const found = async (free: number): Promise<Room> => {
    disk = { free, all: 1000 * gigabyte }
    await clock.advance(5000)
    return space.room
  }
  expect(space.room).toBe('ok')
  expect(reserveOf({ free: 0, all: 1000 * gigabyte })).toBe(gigabyte)
  expect(reserveOf({ free: 0, all: gigabyte })).toBe(gigabyte / 20)
  expect(await found(gigabyte - 1)).toBe('low')
  expect(await found(gigabyte)).toBe('ok')
  expect(await found(1000)).toBe('full')
  expect(await found(2 * gigabyte)).toBe('ok')
  space.noteFull()
  expect(space.room).toBe('full')
  await clock.advance(10_000)
  expect(space.room).toBe('full')
  await clock.advance(10_000)
  expect(space.room).toBe('ok')
  expect(await found(1000)).toBe('full')
  disk = undefined
  await clock.advance(5000)
  // A disk of unknown size turns no one away.
  expect(space.room).toBe('ok')
  space.close()
})
