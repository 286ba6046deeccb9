import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import { isPlaced, turnOf, type Placed } from '#src/events/outbox/push-order.ts'
import type { Store } from '#src/ports/store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openStage, type Stage } from './push-harness.ts'

const minute = 60_000

describe.each(oneStore())('whose turn it is among notifications on $name', (kind) => {
  let stage: Stage
  let rows: Placed[]
  beforeEach(async () => {
    stage = await openStage(kind)
    await stage.message({ push: { url: stage.receiver.url } })
    await stage.think('done')
    const found = await stage.store.deliveries.find({}, { sort: { push_seq: 1 } })
    rows = found.filter(isPlaced)
  })
  afterEach(() => stage.close())

  const at = (ms: number): string => new Date(stage.clock.now().getTime() + ms).toISOString()
  /** The one of these places, from 0: submitted, working, artifact, completed. */
  const row = (place: number): Placed => {
    const found = rows[place]
    if (!found) throw new Error(`there is no notification ${place}`)
    return found
  }
  const change = (place: number, $set: Partial<StoredDelivery>) =>
    stage.store.deliveries.update({ id: row(place).id }, { $set })
  const statuses = async (): Promise<string[]> =>
    (await stage.store.deliveries.find({}, { sort: { push_seq: 1 } })).map(({ status }) => status)
  const turn = (place: number) => turnOf(stage.store, row(place), stage.clock.now())

  it('is that of the first', async () => {
    expect(await turn(0)).toMatchObject({ target: { url: stage.receiver.url } })
  })

  it.each([
    ['has not been tried', { attempts: 0, due_at: 0 }, 1000],
    ['has not been tried, and is due later', { attempts: 0, due_at: minute }, minute],
    ['is under way', { attempts: 2, claim: 'wrk_1', due_at: minute }, minute],
  ])('waits for one before it that %s', async (_, { due_at, ...before }, ms) => {
    await change(0, { ...before, due_at: at(due_at) })
    expect(await turn(1)).toEqual({ until: at(ms) })
    expect(new Set(await statuses())).toEqual(new Set(['pending']))
  })

  it('takes the place of states that have failed', async () => {
    for (const place of [0, 1]) await change(place, { attempts: 1, due_at: at(minute) })
    expect(await turn(2)).toHaveProperty('target')
    expect(await statuses()).toEqual(['failed', 'failed', 'pending', 'pending'])
  })

  it('waits for the results of the task, but not for ever', async () => {
    for (const place of [0, 1]) await change(place, { status: 'delivered', due_at: null })
    for (const attempts of [1, 2]) {
      await change(2, { attempts, due_at: at(minute) })
      expect(await turn(3)).toEqual({ until: at(minute) })
    }
    await change(2, { attempts: 3 })
    expect(await turn(3)).toHaveProperty('target')
    expect(await statuses()).toEqual(['delivered', 'delivered', 'failed', 'pending'])
  })

  it('never comes for a target that is gone', async () => {
    const id = row(0).push_target
    await stage.store.push_targets.update({ id }, { $set: { is_gone: true } })
    expect(await turn(0)).toEqual({ over: true })
    await stage.store.push_targets.delete({ id })
    expect(await turn(0)).toEqual({ over: true })
  })

  it('does not depend on other targets', async () => {
    const url = stage.receiver.at('/other')
    await stage.message({ push: { url } })
    const others = await stage.store.deliveries.find({ url })
    const [first] = others.filter(isPlaced)
    if (!first) throw new Error('nothing is owed to the other')
    expect(await turnOf(stage.store, first, stage.clock.now())).toMatchObject({ target: { url } })
  })
  it('comes at once where the one before ends while it is left to wait', async () => {
    const { made, store } = stage
    const ended = Promise.withResolvers<void>()
    const { deliveries } = store
    const update: typeof deliveries.update = async (filter, update, options) => {
      if (filter.claim && update.$set && !('status' in update.$set)) await ended.promise
      return deliveries.update(filter, update, options)
    }
    const held: Store = {
      ...store,
      deliveries: Object.assign(Object.create(deliveries), { update }),
    }
    let tries = 0
    const ports = { ...made.ports, store: held }
    const one = stage.deliverer({ ...made, ports }, () => void (tries += 1))
    expect(await one.tick()).toBe(4)
    await until(() => tries === 1)
    ended.resolve()
    await until(() => tries === 4)
    expect(await one.tick()).toBe(1)
  })
})
