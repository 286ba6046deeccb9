import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { targetsAnHour, waitForTarget } from '#src/events/outbox/targets.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { stores } from '#tests/support/stores.ts'
import { openStage, push, type Stage } from './push-harness.ts'

describe.each(stores())('targets of notifications on $name', (kind) => {
  let stage: Stage
  beforeEach(async () => {
    stage = await openStage(kind)
  })
  afterEach(() => stage.close())

  const target = (more: object = {}): object => ({ url: stage.receiver.url, ...more })

  it('tells the end to every target that was set, however the two race', async () => {
    const { owner, made, store } = stage
    for (let i = 0; i < 12; i += 1) {
      const { id: chat_id } = await stage.message()
      const { run, lease_token } = await made.ask<{ run: { id: string }; lease_token: string }>(
        'runs.lease',
        { char_id: 'ada' },
        owner.key,
      )
      const turns = i
      const setting = (async () => {
        // The end is decided in several turns: each time another one is met.
        for (let turn = 0; turn < turns; turn += 1) await stage.clock.turn()
        return stage.serve(push.set, { chat_id, target: target({ id: 'mine' }) })
      })()
      const done = { run_id: run.id, lease_token, output: 'done' }
      await Promise.all([setting, made.ask('runs.complete', done, owner.key)])
      const told = await store.deliveries.find({ push_target: `${chat_id} mine` })
      const last = told.filter(({ type }) => type === 'a2a.completed')
      expect(last.length, `set after ${turns} turns`).toBe(2)
      const [{ expires_at } = {}] = await store.push_targets.find({ chat_id })
      expect(expires_at).toBeDefined()
    }
  })

  it('forgets its targets some days after the task has ended', async () => {
    const authentication = { scheme: 'Bearer', credentials: 'marker' }
    await stage.message({ push: target({ authentication }) })
    const { made, store, clock } = stage
    const days = async (count: number): Promise<number> => {
      await clock.advance(count * 86_400_000)
      await upkeep(made.ports, clock.now())
      return store.push_targets.count({})
    }
    expect(await days(20)).toBe(1)
    await stage.think('done')
    const { id: chat_id } = await stage.message({
      task_id: 'echo',
      push: target({ authentication }),
    })
    expect(await days(9)).toBe(2)
    await stage.serve(push.set, { chat_id, target: target({ authentication }) })
    expect(await days(2)).toBe(1)
    expect(await days(9)).toBe(0)
  })

  it('counts the places called against the sender, not against the account of the agent', async () => {
    const { owner, stranger, made, receiver } = stage
    for (let i = 0; i <= targetsAnHour; i += 1) {
      const subject = { owner_id: stranger.id, url: `https://place-${i}.example/` }
      await waitForTarget(made.ports, subject)
    }
    await stage.message({ push: target() })
    await stage.deliver()
    expect(receiver.calls).toHaveLength(0)
    await stage.message({ push: target() }, owner.key)
    await stage.deliver()
    expect(receiver.calls).toHaveLength(1)
  })
})
