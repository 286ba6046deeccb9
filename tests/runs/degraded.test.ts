import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { toolServersOf } from '#tests/support/models.ts'
import { oneStore } from '#tests/support/stores.ts'
import { startToolServer, type TestToolServer } from '#tests/support/tool-server.ts'
import { Works } from './brains/works.ts'

interface Lease {
  run: Run | null
  lease_token: string
  tools: { name: string; required?: boolean }[]
}

describe.each(oneStore())('a run without a tool that it names, on $name', (kind) => {
  const works = new Works(kind)
  const { start, read, ended } = works
  let gauges: TestToolServer
  beforeEach(async () => {
    gauges = await startToolServer(['echo'])
  })
  afterEach(() => gauges.close())

  const open = (
    tools: object[],
    { hasModel, brain = {} }: { hasModel: boolean; brain?: object },
  ): Promise<void> => {
    const options = { toolServers: toolServersOf([gauges.origin], 3000) }
    return works.open({ hasModel, options, character: { brain }, task: { tools } })
  }
  const typesOf = async ({ id }: Run): Promise<string[]> => {
    const page = await works.world.ask<{ items: { type: string }[] }>(
      'runs.events',
      { run_id: id },
      works.key,
    )
    return page.items.map(({ type }) => type)
  }
  const away = { name: 'away', type: 'mcp', config: { url: 'http://127.0.0.2:9/mcp' } }

  it.each([
    ['a server that is away', away],
    ['a bundle that no one knows', { name: 'crystal_ball', type: 'builtin' }],
    ['a type that no one knows', { name: 'ball', type: 'crystal' }],
    ['an incomplete one', { name: 'lost', type: 'http' }],
  ])('fails before the model is asked, where it requires %s', async (_, tool) => {
    await open([{ ...tool, required: true }], { hasModel: true })
    const run = await ended()
    expect(run).toMatchObject({ status: 'failed', error: { code: 'tool_unavailable' } })
    expect(run.error?.message).toContain(tool.name)
    expect(run).not.toHaveProperty('degraded')
    expect(works.model.asked).toEqual([])
  })

  it('fails where the required server of its agent is away, named by its name or its address', async () => {
    const brain = { mcps: [{ name: 'away', url: away.config.url }] }
    await open([{ name: 'away', type: 'mcp', required: true }], { hasModel: true, brain })
    expect((await ended()).error?.code).toBe('tool_unavailable')
  })

  it('goes on and says which, where it requires none of them', async () => {
    const there = { name: 'gauges', type: 'mcp', required: true, config: { url: gauges.url } }
    await open([away, there], { hasModel: true })
    works.model.plays({ text: ['Done.'] })
    const run = await ended()
    expect(run).toMatchObject({ status: 'completed', output: 'Done.', degraded: ['away'] })
    expect(await typesOf(run)).toContain('run.degraded')
  })

  it('says nothing where all are there', async () => {
    await open([{ name: 'gauges', type: 'mcp', required: true, config: { url: gauges.url } }], {
      hasModel: true,
    })
    works.model.plays({ text: ['Done.'] })
    const run = await ended()
    expect(run.status).toBe('completed')
    expect(run).not.toHaveProperty('degraded')
    expect(await typesOf(run)).not.toContain('run.degraded')
  })

  it('tells the brain that leases it, of bundles alone', async () => {
    await open(
      [
        { ...away, required: true },
        { name: 'crystal_ball', type: 'builtin' },
      ],
      {
        hasModel: false,
      },
    )
    const { id } = await start()
    const lease = await works.world.ask<Lease>('runs.lease', {}, works.key)
    expect(lease.run).toMatchObject({ id, degraded: ['crystal_ball'] })
    expect(lease.tools).toMatchObject([{ name: 'away', required: true }, { name: 'crystal_ball' }])
    const done = { run_id: id, lease_token: lease.lease_token, output: 'x' }
    expect(await works.world.ask('runs.complete', done, works.key)).toMatchObject({
      status: 'completed',
      degraded: ['crystal_ball'],
    })
    expect(await typesOf(await read(id))).toContain('run.degraded')
  })

  it('is not leased, and fails, where it requires a bundle that no one knows', async () => {
    await open([{ name: 'crystal_ball', type: 'builtin', required: true }], { hasModel: false })
    const { id } = await start()
    expect(await works.world.ask<Lease>('runs.lease', {}, works.key)).toMatchObject({ run: null })
    expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'tool_unavailable' } })
  })
})
