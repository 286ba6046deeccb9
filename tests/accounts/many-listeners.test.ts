import { expect, it } from 'vitest'
import type { StreamEvent } from '#src/core/answer.ts'
import { waiting } from '#src/core/listeners.ts'
import { documentName } from '#src/core/told/touch.ts'
import { eventPasser } from '#src/work/events.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { inForm } from '#tests/support/long-tests.ts'
import { stores, type StoreKind } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** On MongoDB each of them begins with a commit. */
const listenersOn = ({ name }: StoreKind): number =>
  inForm({ short: name === 'mongodb' ? 100 : 1000, long: 1000 })

/** Counts the reads of a log. */
function counted({ ports: { store } }: World): { reads: number } {
  const count = { reads: 0 }
  const { account_events, account_logs } = store
  const find = account_events.find.bind(account_events)
  const get = account_logs.get.bind(account_logs)
  account_events.find = (...asked) => {
    count.reads += 1
    return find(...asked)
  }
  account_logs.get = (...asked) => {
    count.reads += 1
    return get(...asked)
  }
  return count
}

async function followed(world: World, key: string, signal: AbortSignal) {
  const operation = world.core.catalog.find(({ name }) => name === 'account.events')
  if (!operation) throw new Error('it is there')
  const from = { credential: key, address: '127.0.0.0', requestId: 'test', counted: true }
  const { answer } = await world.core.serve({ operation, input: {}, ...from, follow: true, signal })
  if (!answer?.events) throw new Error('it is a stream')
  return answer.events
}

/** The numbers of what a stream tells, as it comes. */
function numbersOf(events: AsyncIterable<StreamEvent>): { seen: number[]; ended: Promise<void> } {
  const seen: number[] = []
  const read = async (): Promise<void> => {
    // A stream of an account has its events.
    for await (const { text } of events) seen.push((JSON.parse(text) as { seq: number }).seq)
  }
  return { seen, ended: read() }
}

it.each(stores())('many listeners miss nothing and share their reads, on $name', async (kind) => {
  const world = openWorld(await kind.open())
  const listeners = listenersOn(kind)
  const { key, id } = await world.account()
  const pass = eventPasser(world.ports)
  const leave = new AbortController()
  const readers = await Promise.all(
    Array.from({ length: listeners }, async () =>
      numbersOf(await followed(world, key, leave.signal)),
    ),
  )
  const count = counted(world)
  const { account_logs } = world.ports.store
  for (let i = 0; i < 4; i++) {
    count.reads = 0
    await world.ask('characters.create', { character: { id: `c${i}`, name: 'C' } }, key)
    while ((await pass()) > 0);
    const { seq = 0 } = (await account_logs.get(id)) ?? {}
    await until(() => readers.every(({ seen }) => seen.length === seq))
    expect(count.reads).toBeLessThan(listeners / 5)
  }
  for (const { seen } of readers) expect(seen).toEqual(seen.map((_, n) => n + 1))
  leave.abort()
  await Promise.all(readers.map(({ ended }) => ended))
  expect(world.ports.waiting.keys()).not.toContain(documentName('account_logs', id))
  await world.ports.store.close()
})

it('of many who wait, some are told in each turn of the event loop', async () => {
  const clock = fakeClock()
  const all = waiting({ ...clock, turn: () => new Promise((resolve) => turns.push(resolve)) })
  const turns: (() => void)[] = []
  let told = 0
  const waits = Array.from({ length: 120 }, async () => {
    if (await all.until('x', 1000)) told += 1
  })
  all.tell('x')
  await clock.turn()
  expect(told).toBe(50)
  for (const now of [100, 120]) {
    turns.shift()?.()
    await clock.turn()
    expect(told).toBe(now)
  }
  await Promise.all(waits)
  expect(all.keys()).toEqual([])
})
