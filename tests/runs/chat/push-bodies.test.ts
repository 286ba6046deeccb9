import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import { senderKey } from '#src/core/counts/received.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { openStage, push, stateIn, type Stage } from './push-harness.ts'

const day = 86_400_000
const large = 'x'.repeat(100_000)

describe.each(stores())('what is kept of notifications on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let stage: Stage
  beforeEach(async () => {
    stage = await openStage(kind)
  })
  afterEach(() => stage.close())

  const target = (more: object = {}): object => ({ url: stage.receiver.url, ...more })
  const states = (): string[] => stage.receiver.calls.map(stateIn)
  /** The size of everything that notifications have left. */
  const size = async (): Promise<number> => {
    const { deliveries, push_bodies } = stage.store
    return JSON.stringify([await deliveries.find({}), await push_bodies.find({})]).length
  }
  /** What the run counts, with the result that is kept apart. */
  const ofRun = async (): Promise<number> => {
    const { runs, large_values } = stage.store
    const kept = [...(await runs.find({})), ...(await large_values.find({}))]
    return kept.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  }
  const received = () => stage.made.ports.quotas.received.of(stage.owner.id)
  const own = async () => {
    const owner = { accountId: stage.owner.id, claimed: false }
    return (await stage.made.ports.quotas.usage(owner)).stored_bytes
  }
  const tenTargets = async (key?: string): Promise<string> => {
    const { id: chat_id } = await stage.message({ push: target({ id: 't0' }) }, key)
    for (let i = 1; i < 10; i += 1) {
      await stage.serve(push.set, { chat_id, target: target({ id: `t${i}` }) }, key)
    }
    return chat_id
  }
  const forgotten = async (): Promise<void> => {
    await stage.clock.advance(3 * day)
    await upkeep(stage.made.ports, stage.clock.now())
    await upkeep(stage.made.ports, stage.clock.now())
    expect(await stage.store.deliveries.count({})).toBe(0)
    expect(await stage.store.push_bodies.count({})).toBe(0)
  }

  it('is one copy of the results of a task, for any number of targets', async () => {
    await tenTargets()
    await stage.think(large, [{ name: 'also', content: large }])
    expect(await size()).toBeLessThan(300_000)
    await stage.deliver()
    const brought = stage.receiver.calls.filter(({ body }) => body.includes(large))
    expect(brought).toHaveLength(20)
  })

  it('is one copy for those of 0.3 too', async () => {
    const { id: chat_id } = await stage.message({ push: target({ id: 'a', version: '0.3' }) })
    await stage.serve(push.set, { chat_id, target: target({ id: 'b', version: '0.3' }) })
    await stage.think(large)
    expect(await size()).toBeLessThan(120_000)
    await stage.deliver()
    expect(stage.receiver.calls.filter(({ body }) => body.includes(large))).toHaveLength(2)
  })

  it('counts for the sender until it goes', async () => {
    const before = await own()
    await tenTargets()
    await stage.think(large)
    const [run] = await stage.store.runs.find({})
    expect(run?.sender).toBe(senderKey(stage.stranger.id))
    expect((await received()) - (await ofRun())).toBeGreaterThan((await size()) * 0.9)
    await stage.deliver()
    await forgotten()
    expect(await received()).toBe(await ofRun())
    expect(await own()).toBe(before)
  })

  it('counts for the account where it has sent the message itself', async () => {
    const before = await own()
    await tenTargets(stage.owner.key)
    await stage.think(large)
    const more = (await own()) - before - (await ofRun())
    expect(more).toBeGreaterThan((await size()) * 0.9)
    await stage.deliver()
    await forgotten()
    expect(await own()).toBe(before + (await ofRun()))
    expect(await received()).toBe(0)
  })

  itOnEach('stays for as long as one of them is to be tried again', async () => {
    stage.receiver.answer = (response) => response.writeHead(503, { 'retry-after': '86400' }).end()
    await stage.message({ task_id: 'echo', push: target({ version: '0.3' }) })
    for (let i = 0; i < 4; i += 1) {
      await stage.deliver()
      await stage.clock.advance(1.2 * day)
      await upkeep(stage.made.ports, stage.clock.now())
    }
    expect(await stage.store.push_bodies.count({})).toBe(1)
    stage.receiver.answer = (response) => response.writeHead(204).end()
    await stage.deliver()
    expect(states().at(-1)).toBe('completed')
    await forgotten()
  })

  it('goes with the run, whose notifications are no longer sent', async () => {
    const chat_id = await tenTargets()
    await stage.think(large)
    await stage.made.ask('runs.delete', { run_id: chat_id }, stage.owner.key)
    expect(await stage.store.push_bodies.count({})).toBe(0)
    expect(await size()).toBeLessThan(100_000)
    await stage.deliver()
    expect(states()).toEqual([])
    expect(await stage.store.deliveries.count({ status: 'pending' })).toBe(0)
    await forgotten()
    expect(await received()).toBe(0)
  })

  it('is given back too where the config is deleted, or its receiver is gone', async () => {
    const { id: chat_id } = await stage.message({ push: target({ id: 'mine' }) })
    await stage.serve(push.set, { chat_id, target: target({ id: 'other' }) })
    stage.receiver.answer = (response) => response.writeHead(500).end()
    await stage.deliver()
    await stage.think(large)
    await stage.serve(push.delete, { chat_id, id: 'mine' })
    const left = { push_target: `${chat_id} mine`, status: 'pending' } as const
    expect(await stage.store.deliveries.count(left)).toBe(0)
    stage.receiver.answer = (response) => response.writeHead(410).end()
    await stage.clock.advance(day)
    await stage.deliver()
    expect(await stage.store.deliveries.count({ status: 'pending' })).toBe(0)
    await forgotten()
    expect(await received()).toBe(await ofRun())
  })

  it('is given back after the agent has gone', async () => {
    const chat_id = await tenTargets()
    await stage.think(large)
    await stage.made.ask('characters.delete', { char_id: 'ada' }, stage.owner.key)
    await stage.deliver()
    expect(states()).toEqual([])
    await forgotten()
    await stage.made.ask('runs.delete', { run_id: chat_id }, stage.owner.key)
    expect(await received()).toBe(0)
  })
})
