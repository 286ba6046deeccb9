import { describe, expect, it } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { oneStore } from '#tests/support/stores.ts'
import { Works } from './brains/works.ts'

interface Seen {
  type: string
  data: Record<string, unknown>
}

const secret = 'marker-secret-0123456789'

describe.each(oneStore())('what a brain is asked, on $name', (kind) => {
  const works = new Works(kind)
  const start = (input: unknown = 'tea'): Promise<Run> => works.start(input)
  const ended = (input: unknown = 'tea'): Promise<Run> => works.ended(input)
  const open = (hasModel: boolean, task: object = {}): Promise<void> => {
    const brain = { skills: ['clock'], system_prompt_override: 'You are Ada.' }
    const whole = { prompt: 'Look at {{input}}.', ...task }
    return works.open({ hasModel, task: whole, character: { brain } })
  }
  const said = async (id: string): Promise<Seen[]> => {
    const page = await works.world.ask<{ items: Seen[] }>('runs.events', { run_id: id }, works.key)
    return page.items.filter(({ type }) => ['model.request', 'lease.given'].includes(type))
  }

  it('is kept with the run, and which model was asked', async () => {
    await open(true)
    works.model.plays({ text: ['Done.'] })
    const run = await ended()
    expect(run).toMatchObject({ status: 'completed', model: 'openai/m' })
    const [event, ...others] = await said(run.id)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'model.request',
      data: {
        model: 'openai/m',
        prompt: 'Look at tea.',
        knowledge: [],
        tools: ['request_approval', 'current_time'],
      },
    })
    expect(event?.data['system_prompt']).toMatch(/^You are Ada\./)
  })

  it('is kept where the run fails too', async () => {
    await open(true)
    works.model.plays({ status: 401 })
    const run = await ended()
    expect(run).toMatchObject({ status: 'failed', model: 'openai/m' })
    expect(await said(run.id)).toHaveLength(1)
  })

  it('is kept without secrets, and of long texts the beginning', async () => {
    await open(true, { selected_secrets: ['GAUGE_KEY'] })
    const secrets = [{ name: 'GAUGE_KEY', value: secret }]
    await works.world.ask('characters.secrets.update', { char_id: 'ada', secrets }, works.key)
    works.model.plays({ text: ['Done.'] })
    const run = await ended(`${'x'.repeat(19_980)}${secret}${'y'.repeat(1000)}`)
    const prompt = String((await said(run.id))[0]?.data['prompt'])
    expect(prompt).not.toContain('marker')
    expect(prompt).toMatch(/\[… \d+ more characters\]$/)
    expect(prompt.length).toBeLessThan(20_100)
  })

  it('is kept without its texts where the account says so', async () => {
    await open(true)
    await works.world.ask('account.update', { keep_prompts: false }, works.key)
    works.model.plays({ text: ['Done.'] })
    const run = await ended()
    const [event] = await said(run.id)
    expect(Object.keys(event?.data ?? {}).toSorted()).toEqual(['knowledge', 'model', 'tools'])
  })

  it('of a brain that leases it is what the lease gave', async () => {
    await open(false)
    const { id } = await start()
    const lease = await works.world.ask<{
      prompt: string
      system_prompt: string
      lease_token: string
    }>('runs.lease', {}, works.key)
    expect(await said(id)).toMatchObject([
      {
        type: 'lease.given',
        data: { system_prompt: lease.system_prompt, prompt: lease.prompt, tools: [] },
      },
    ])
    const second = await start('cake')
    const done = { run_id: id, lease_token: lease.lease_token, output: 'x', lease_next: true }
    await works.world.ask('runs.complete', done, works.key)
    expect(await said(second.id)).toMatchObject([{ data: { prompt: 'Look at cake.' } }])
  })
})
