import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { runHeaderFor, runNamedBy } from '#src/events/outbox/own-call.ts'
import { runsARoot } from '#src/runs/ending/handoff.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

describe.each(stores())('a run that calls hooks of this service, on $name', (kind) => {
  let store: OpenedStore
  let world: World
  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    for (const id of ['ada', 'bob', 'cyd']) {
      const { key } = await world.account()
      const triggers = [{ type: 'webhook', config: { path: 'in' } }]
      const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'x', triggers }
      await world.ask(
        'characters.create',
        { character: { id, name: id, heart: { tasks: [task] } } },
        key,
      )
    }
  })
  afterEach(() => store.close())

  const at = (charId: string) => `${world.ports.settings.publicUrl}/api/hooks/${charId}/in`
  const headerOf = (run: string | undefined) =>
    runHeaderFor(world.ports, at('ada'), run)['abode-run']

  /** A call of the hook of an agent, by a run where one is named. */
  const call = async (charId: string, run_header?: string): Promise<StoredRun> => {
    const operation = world.core.catalog.find(({ name }) => name === 'hooks.receive')
    if (!operation) throw new Error('there is no operation')
    const input = { char_id: charId, path: 'in', body: { n: 1 }, ...(run_header && { run_header }) }
    const from = { address: '192.0.2.0', credential: undefined, requestId: 'test' }
    const { answer } = await world.core.serve({
      operation,
      input,
      bytes: Buffer.from('{}'),
      ...from,
    })
    const { runs } = JSON.parse(answer?.text ?? '{}') as { runs: string[] }
    const run = await store.runs.get(runs[0] ?? '')
    if (!run) throw new Error('no run was started')
    return run
  }

  it('goes on with its chain, through three accounts, and is cut at its first repeat', async () => {
    const first = await call('ada')
    const second = await call('bob', headerOf(first.id))
    const third = await call('cyd', headerOf(second.id))
    expect([second.root_run_id, second.depth, second.parent_run_id]).toEqual([
      first.id,
      1,
      first.id,
    ])
    expect(third).toMatchObject({ status: 'queued', root_run_id: first.id, depth: 2 })
    expect(await call('ada', headerOf(third.id))).toMatchObject({
      status: 'skipped',
      reason: 'loop',
    })
    // What others must not see of the chain is not shown to them.
    expect(second.trigger.caller).toEqual({ path: 'in' })
  })

  it('is named to the run that it calls within its account', async () => {
    const { id, owner_id } = await call('ada')
    await store.runs.update({ id }, { $set: { owner_id: (await call('bob')).owner_id } })
    expect(owner_id).not.toBe((await store.runs.get(id))?.owner_id)
    expect((await call('bob', headerOf(id))).trigger.caller).toEqual({ path: 'in', run_id: id })
  })

  it('sets no more off than a chain may have, also at once', async () => {
    const first = await call('ada')
    await store.runs.update({ id: first.id }, { $set: { family: runsARoot - 1 } })
    const all = await Promise.all(['bob', 'cyd'].map((id) => call(id, headerOf(first.id))))
    const reasons = all.map(({ reason }) => reason)
    expect(reasons.filter((reason) => reason === 'chain_runs')).toHaveLength(1)
  })

  it('is believed by its sign alone', async () => {
    const first = await call('ada')
    const sign = headerOf(first.id) ?? ''
    const other = headerOf('run_other') ?? ''
    const forged = [
      first.id,
      `${first.id}.`,
      `${sign}0`,
      `${sign}.x`,
      `${first.id}.${other.split('.')[1]}`,
    ]
    for (const header of [...forged, headerOf('run_gone')]) {
      const run = await call('bob', header)
      expect([run.root_run_id, run.depth]).toEqual([run.id, 0])
    }
    expect(runNamedBy(world.ports, sign)).toBe(first.id)
  })
})

describe('the header of a run that calls', () => {
  const world = {
    settings: { publicUrl: 'https://abode.example/base' },
    sealer: { derive: () => Buffer.alloc(32) },
  }
  const isSent = (url: string) => Object.keys(runHeaderFor(world as never, url, 'run_1')).length > 0

  it.each([
    ['https://abode.example/base/api/hooks/ada/in', true],
    ['HTTPS://ABODE.example:443/base/./api/hooks/ada/in?x', true],
    ['https://abode.example/api/hooks/ada/in', false],
    ['https://abode.example/base/api/hooksx/ada', false],
    ['https://abode.example.evil.test/base/api/hooks/ada/in', false],
    ['https://evil.test/?https://abode.example/base/api/hooks/ada', false],
    ['http://abode.example/base/api/hooks/ada/in', false],
    ['no address', false],
  ])('goes to %s: %s', (url, is) => {
    expect(isSent(url)).toBe(is)
  })
})
