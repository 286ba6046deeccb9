import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { purgeSums, sumDays, type SpendSum } from '#src/runs/spend/sum.ts'
import { recordCall } from '#src/runs/spend/record.ts'
import { periodsIn } from '#src/runs/spend/summary.ts'
import { newRun } from '#src/runs/new-run.ts'
import { callOf, centsAToken, spend } from './calls.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores, type Place } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('sums of what models cost on $name', (kind) => {
  let place: Place
  let clock: FakeClock
  /** Of two processes. */
  let both: World[]
  let here: World

  beforeEach(async () => {
    place = await kind.place()
    clock = fakeClock(Date.parse('2026-03-31T23:59:50Z'))
    const options = { clock, modelPrices: centsAToken }
    here = openWorld(await place.open(), options)
    both = [here, openWorld(await place.open(), options)]
  })
  afterEach(async () => {
    for (const { ports } of both) await ports.store.close()
    await place.remove()
  })

  const summary = (key: string, asked: object): Promise<{ items: object[]; total: object }> =>
    here.ask('usage.summary', asked, key)

  it('lose nothing and count nothing twice, where two processes count at once', async () => {
    const { id: owner_id, key } = await here.account()
    const calls = Array.from({ length: 16 }, async (_, nth) => {
      const { ports } = both[nth % 2] ?? here
      const char_id = nth % 4 < 2 ? 'ada' : 'grace'
      await spend(ports, { owner_id, char_id }, callOf({ input_tokens: 1, output_tokens: nth }))
    })
    await Promise.all(calls)
    // 16 tokens in at a cent, 120 out at two.
    const total = { calls: 16, input_tokens: 16, output_tokens: 120, cost_cents: 256 }
    expect(await summary(key, { by: 'agent' })).toMatchObject({
      items: [{ char_id: 'ada' }, { char_id: 'grace' }],
      total,
    })
    expect(await here.ports.store.spend_sums.count({ owner_id })).toBe(8)
  })

  it('count a call in the run that made it, and also where the run was taken from it', async () => {
    const { id: owner_id, key } = await here.account()
    const character = { id: 'ada', name: 'Ada' }
    await here.ask('characters.create', { character }, key)
    const task = { task_id: 't', name: 'T', runtime: 'prompt' }
    await here.ask('tasks.create', { char_id: 'ada', task }, key)
    const { store } = here.ports
    const [kept] = await store.tasks.find({ char_id: 'ada' })
    if (!kept) throw new Error('there is no task')
    const run = newRun(kept, { trigger: { type: 'manual', at: '' }, input: null }, clock.now())
    const claim = { token: 'mine', by: 'worker', at: '', until: '', longest: '' } as const
    const mine = { ...run, claim }
    await store.runs.insert(mine)
    await recordCall(here.ports, mine, callOf({ input_tokens: 3 }))
    await recordCall(here.ports, mine, callOf({ input_tokens: 5 }, 'free'))
    const usage = { input_tokens: 8, output_tokens: 0, cost_cents: 3, unpriced_calls: 1 }
    expect((await store.runs.get(run.id))?.usage).toEqual(usage)
    await store.runs.update({ id: run.id }, { $set: { 'claim.token': 'another' } })
    await recordCall(here.ports, mine, callOf({ input_tokens: 100 }))
    expect((await store.runs.get(run.id))?.usage).toEqual(usage)
    expect(await summary(key, {})).toMatchObject({ total: { calls: 3, cost_cents: 103 } })
    expect(await store.spend_sums.count({ owner_id })).toBe(8)
  })

  it('are the same over days as over the months that they make, and go in their time', async () => {
    const { id: owner_id, key } = await here.account()
    const { ports } = here
    for (let day = 0; day < 4; day++) {
      await spend(
        ports,
        { owner_id, char_id: `agent-${day % 3}` },
        callOf({ input_tokens: 10 ** day }),
      )
      await clock.advance(86_400_000)
    }
    const spanning = { from: '2026-03-31', to: '2026-04-02', by: 'agent' }
    const names = (rows: object[]) => rows.map((row) => Object.values(row)[0])
    const { items, total } = await summary(key, spanning)
    expect(names(items)).toEqual(['agent-0', 'agent-1', 'agent-2'])
    expect(total).toMatchObject({ cost_cents: 111 })
    const first = await here.ask<{ items: object[]; next_cursor: string }>(
      'usage.summary',
      { ...spanning, to: '2026-04-30', limit: 2 },
      key,
    )
    expect(first).toMatchObject({ total: { cost_cents: 1111 }, items: [{ cost_cents: 1001 }, {}] })
    const rest = { ...spanning, to: '2026-04-30', limit: 2, cursor: first.next_cursor }
    expect(names((await summary(key, rest)).items)).toEqual(['agent-2'])
    const days = await summary(key, { from: '2026-03-01', to: '2026-05-31' })
    expect(names(days.items)).toEqual(['2026-03-31', '2026-04-01', '2026-04-02', '2026-04-03'])
    const dearest = { from: '2026-04-01', to: '2026-04-04', by: 'agent', order: 'cost' }
    expect(names((await summary(key, dearest)).items)).toEqual(['agent-0', 'agent-2', 'agent-1'])

    const left = async (): Promise<SpendSum['period'][]> => {
      while (await purgeSums(ports, clock.now()));
      const rows = await ports.store.spend_sums.find({ owner_id, kind: 'account' })
      return rows.map(({ period }) => period).sort()
    }
    await clock.advance((sumDays - 2) * 86_400_000)
    expect(await left()).toEqual(['2026-04', '2026-04-03'])
    await clock.advance(60 * 86_400_000)
    expect(await left()).toEqual([])
  })
})

it('takes whole months where there are any, and the one that goes on as whole', () => {
  const in2026 = (from: string, to: string) =>
    periodsIn({ from: `2026-${from}`, to: `2026-${to}` }, '2026-03-10')
  expect(in2026('01-30', '02-28')).toEqual(['2026-01-30', '2026-01-31', '2026-02'])
  expect(in2026('03-01', '03-10')).toEqual(['2026-03'])
  expect(in2026('03-01', '03-09')).toHaveLength(9)
  expect(in2026('03-02', '03-10')).toHaveLength(9)
  expect(periodsIn({ from: '2025-12-31', to: '2026-01-31' }, '2026-03-10')).toEqual([
    '2025-12-31',
    '2026-01',
  ])
})
