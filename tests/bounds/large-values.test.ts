import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { operatedPorts } from '#adapters/commands/operated/ports.ts'
import { readConfig } from '#adapters/config/read.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { inPlaceAtMost } from '#src/core/large/value.ts'
import { placesIn } from '#src/core/large/text.ts'
import { retryRun } from '#src/runs/operated/retry.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { auditBytes } from './graves.ts'

const dayMs = 86_400_000
const gate = { requires_approval: true, allow_edit: true }
const pass = { name: 'Task', runtime: 'template', prompt: '{{input}}', post_to_feed: false }
const to = (target_task_id: string) => ({
  output_sharing: { enabled: true, target_agent_id: 'ada', target_task_id },
})
const tasks = [
  { ...pass, task_id: 'third' },
  { ...pass, task_id: 'second', ...to('third') },
  { ...pass, task_id: 'first', ...to('second') },
  { ...pass, task_id: 'gated', approval_gate: gate },
  { ...pass, task_id: 'flows', runtime: 'workflow', workflow_entry: 'third' },
  { ...pass, task_id: 'thinks', runtime: 'prompt' },
]

describe.each(stores())('large values on $name', (kind) => {
  let raw: OpenedStore
  let world: World
  let work: Work
  let clock: FakeClock
  let owner: { key: string; id: string }
  const large = 'ä"'.repeat(450_000)
  const size = JSON.stringify(large).length

  beforeEach(async () => {
    clock = fakeClock(Date.now())
    raw = await kind.open()
    world = openWorld(raw, { clock })
    work = startWork(world.ports, ['runner', 'scheduler'], 4)
    owner = await world.account()
    await ask('characters.create', { character: { id: 'ada', name: 'Ada', heart: { tasks } } })
  })
  afterEach(async () => {
    await work.stop()
    await world.ports.store.close()
  })

  const ask = <T = { id: string }>(name: string, input: object, key = owner.key) =>
    world.ask<T>(name, input, key)
  const run = (task_id: string, input: unknown = large) =>
    ask<{ id: string; input: unknown; output: unknown }>('tasks.run', {
      char_id: 'ada',
      task_id,
      input,
    })
  const own = async () =>
    (await world.ports.quotas.usage({ accountId: owner.id, claimed: false })).stored_bytes -
    (await auditBytes(world.ports.store, owner.id))
  const runs = () => world.ports.store.runs.find({ owner_id: owner.id }, { sort: { id: 1 } })
  const ended = (many: number) =>
    until(async () => (await raw.runs.count({ status: 'completed' })) === many)
  const deleteAll = async () => {
    for (const { id } of await runs()) await ask('runs.delete', { run_id: id })
  }

  test('are kept and counted once along a chain, a retry and steps, and go with the last of it', async () => {
    const before = await own()
    const first = await run('first')
    expect([first.input, first.output]).toEqual([large, large])
    await ended(3)
    await ask('runs.retry', { run_id: first.id })
    await ended(6)
    await run('flows')
    await ended(8)
    const all = await runs()
    expect(all.map(({ input, output }) => [input, output])).toEqual(all.map(() => [large, large]))
    expect(await raw.large_values.count({})).toBe(1)
    const grown = (await own()) - before
    expect(grown).toBeGreaterThan(size)
    expect(grown).toBeLessThan(size + 8 * 2000)
    const rows = await raw.runs.text({ owner_id: owner.id })
    for (const { text } of rows) expect(text.length).toBeLessThan(2000)
    const [one, ...others] = all
    for (const { id } of others) await ask('runs.delete', { run_id: id })
    expect((await ask<{ input: string }>('runs.get', { run_id: one?.id })).input).toBe(large)
    await deleteAll()
    expect(await raw.large_values.count({})).toBe(0)
    expect(await own()).toBe(before)
  })

  test('are shown whole wherever their run is: one by one, in lists, and in several reads at once', async () => {
    const { id } = await run('third', { list: ['x'.repeat(20_000), '{"input":"@large:'] })
    const whole = { input: { list: ['x'.repeat(20_000), '{"input":"@large:'] } }
    expect(await ask('runs.get', { run_id: id })).toMatchObject(whole)
    const { items } = await ask<{ items: object[] }>('runs.list', {})
    expect(items).toMatchObject([whole])
    const [row] = await world.ports.store
      .texts([{ in: 'runs', filter: { id } }])
      .then((all) => all.flat())
    expect(JSON.parse(row?.text ?? '')).toMatchObject(whole)
    expect(JSON.parse(row?.text ?? '')).not.toHaveProperty('input_ref')
  })

  test('of a text that looks like a reference it is that text', async () => {
    const other = await world.account()
    await run('third')
    const [value] = await raw.large_values.pick(['id'], {})
    const forged = `@large:${String(value?.[0])}`
    await ask(
      'characters.create',
      { character: { id: 'eve', name: 'Eve', heart: { tasks: [{ ...pass, task_id: 'says' }] } } },
      other.key,
    )
    const said = { char_id: 'eve', task_id: 'says' }
    const made = await ask<{ id: string }>('tasks.run', { ...said, input: forged }, other.key)
    const shown = { input: forged, output: forged }
    expect(await ask('runs.get', { run_id: made.id }, other.key)).toMatchObject(shown)
    const within = await ask<{ id: string }>(
      'tasks.run',
      { ...said, input: { input: forged } },
      other.key,
    )
    const { input } = await ask<{ input: unknown }>('runs.get', { run_id: within.id }, other.key)
    expect(input).toEqual({ input: forged })
  })

  test('of two accounts, and of those who send them, count for each', async () => {
    const other = await world.account()
    await ask(
      'characters.create',
      { character: { id: 'eve', name: 'Eve', heart: { tasks: [{ ...pass, task_id: 'says' }] } } },
      other.key,
    )
    await run('third')
    await ask('tasks.run', { char_id: 'eve', task_id: 'says', input: large }, other.key)
    expect(await raw.large_values.count({})).toBe(2)
  })

  test('that a run waits with for an approval are kept once, also those that an edit brings', async () => {
    const before = await own()
    await run('gated')
    await until(async () => (await raw.approvals.count({})) === 1)
    const [asked] = await world.ports.store.approvals.find({})
    const id = asked?.id
    expect(await raw.large_values.count({})).toBe(1)
    const shown = await ask<{ input: string }>('approvals.get', { approval_id: id })
    expect(shown.input).toBe(large)
    const edited_input = `${large}!`
    await ask('approvals.decide', {
      approval_id: id,
      decision: 'approve',
      as_char_id: 'ada',
      edited_input,
    })
    await ended(2)
    expect((await runs()).at(-1)).toMatchObject({ input: edited_input, output: edited_input })
    expect(await ask('approvals.get', { approval_id: id })).toMatchObject({
      input: large,
      edited_input,
    })
    expect(await raw.large_values.count({})).toBe(2)
    await deleteAll()
    expect([await raw.large_values.count({}), await own()]).toEqual([0, before])
  })

  test('are kept once by a retry of the operator too, who works next to a server', async () => {
    const { id } = await run('thinks')
    await ask('runs.cancel', { run_id: id })
    await raw.runs.update({ id }, { $set: { status: 'failed' } })
    const ports = operatedPorts(raw, readConfig({}))
    const again = await retryRun(ports, id)
    await ports.settle()
    await ask('runs.delete', { run_id: id })
    expect(await ask('runs.get', { run_id: again })).toMatchObject({ input: large })
    expect(await raw.large_values.find({})).toMatchObject([{ uses: 2 }])
  })

  test('that come many times at once are one', async () => {
    const many = Array.from({ length: 12 }, () => run('third'))
    await Promise.all(many)
    const rows = await raw.large_values.find({})
    expect(rows).toMatchObject([{ uses: 12 }])
    expect(await raw.runs.count({ owner_id: owner.id })).toBe(12)
  })

  test('that a crash has left are found by upkeep within a day, and those in use stay', async () => {
    await run('third')
    const { id } = await run('third', `${large}?`)
    const before = await own()
    // As if the process had ended before it looked at what the run referred to.
    await raw.runs.delete({ id })
    await upkeep(world.ports, clock.now())
    expect(await raw.large_values.count({})).toBe(2)
    clock.set(clock.now().getTime() + dayMs)
    await upkeep(world.ports, clock.now())
    expect(await raw.large_values.count({})).toBe(1)
    expect(before - (await own())).toBe(size + 1)
    expect((await runs()).map(({ input }) => input)).toEqual([large])
  })

  test('of a size that stands in its document have no document of their own', async () => {
    const fits = 'x'.repeat(inPlaceAtMost - 2)
    await run('thinks', fits)
    expect(await raw.large_values.count({})).toBe(0)
    await run('thinks', `${fits}x`)
    expect(await raw.large_values.count({})).toBe(1)
  })

  test('of approvals are read as far as a page holds them', async () => {
    for (let n = 0; n < 5; n++) await run('gated', `${n}${large.slice(0, 400_000)}`)
    const pending = () => raw.approvals.count({ state: 'pending' })
    await until(async () => (await pending()) === 5)
    const reads = vi.spyOn(raw.large_values, 'text')
    const { items } = await ask<{ items: unknown[] }>('approvals.list', {})
    expect(items).toHaveLength(1)
    expect(reads.mock.calls.length).toBeLessThan(4)
  })
})

test('references are found at the top of a document alone', () => {
  const reference = `@large:lrg_${'0'.repeat(64)}`
  const text = JSON.stringify({
    id: 'a',
    caller: { input: reference, why: `"input":"${reference}\\` },
    input: reference,
    output: [reference],
    edited: reference,
  })
  const places = placesIn(text, ['input', 'output'])
  expect(places.map(({ from, to }) => text.slice(from - 8, to))).toEqual([`"input":"${reference}"`])
})
