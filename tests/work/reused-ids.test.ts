import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { removalOf } from '#src/departures/agent.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { newRun } from '#src/runs/new-run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const wait = { timeout: 120_000, interval: 5 }

interface Account {
  key: string
  id: string
}

describe.each(stores())('an id that another account has taken on $name', (kind) => {
  let store: Store
  let world: World
  let running: Runner
  let before: Account
  let after: Account

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    before = await world.account()
    after = await world.account()
    running = runner(world.ports, 1)
    world.ports.wake.connect('runs', (count) => running.wake(count))
  })
  afterEach(async () => {
    await running.stop()
    await store.close()
  })

  const agent = (task: object, { key }: Account) => {
    const heart = { tasks: [{ task_id: 't', name: 'T', ...task }] }
    return world.ask('characters.create', { character: { id: 'ada', name: 'Ada', heart } }, key)
  }
  /** As by a process that died while it deleted the agent: its runs are left. */
  const passOn = async (task: object): Promise<void> => {
    await store.characters.delete({ id: 'ada' })
    await store.tasks.delete({ id: 'ada/t' })
    await agent(task, after)
  }
  const read = (id: string) => world.ask<Run>('runs.get', { run_id: id }, before.key)

  it('does not hand its work to a run of the account before', async () => {
    await agent({ runtime: 'prompt', prompt: 'Old' }, before)
    const of = { char_id: 'ada', task_id: 't' }
    const { id } = await world.ask<Run>('tasks.run', of, before.key)
    await passOn({ runtime: 'prompt', prompt: 'Private' })
    expect(await world.ask('runs.lease', {}, before.key)).toMatchObject({ run: null })
    expect(await read(id)).toMatchObject({ status: 'cancelled', reason: 'character_deleted' })
  })

  it('does not work for a run of the account before', async () => {
    await agent({ runtime: 'template', prompt: 'Old' }, before)
    const old = await store.tasks.get('ada/t')
    if (!old) throw new Error('the task is there')
    const now = new Date()
    const trigger = { type: 'manual', at: now.toISOString() }
    const waiting = newRun(old, { trigger, input: 'x' }, now)
    await passOn({ runtime: 'template', prompt: 'Private', memory_namespace: 'notes' })
    await store.runs.insert(waiting)
    running.wake(1)
    await vi.waitFor(async () => expect((await read(waiting.id)).finished_at).not.toBeNull(), wait)
    expect(await read(waiting.id)).toMatchObject({ status: 'cancelled', output: null })
    expect(await store.memory.count({})).toBe(0)
    expect(await store.posts.count({})).toBe(0)
  })

  it('keeps its runs where the account before is still deleting its agent', async () => {
    const task = { runtime: 'prompt', prompt: 'Think' }
    await agent(task, before)
    const of = { char_id: 'ada', task_id: 't' }
    const { id: old } = await world.ask<Run>('tasks.run', of, before.key)
    const ada = await store.characters.get('ada')
    if (!ada) throw new Error('the agent is there')
    const removal = await removalOf(world.ports, [ada])
    await store.commit([
      ...removal.writes,
      { in: 'characters', delete: { id: 'ada', owner_id: before.id } },
    ])
    await agent(task, after)
    const { id } = await world.ask<Run>('tasks.run', of, after.key)
    await removal.finish()
    expect(await store.runs.get(old)).toMatchObject({ status: 'cancelled' })
    expect(await store.runs.get(id)).toMatchObject({ status: 'queued' })
  })

  it('does not go on for an approval of the account before', async () => {
    const task = {
      runtime: 'template',
      prompt: 'Same',
      approval_gate: { requires_approval: true, approvers: ['grace'] },
    }
    await world.ask('characters.create', { character: { id: 'grace', name: 'G' } }, before.key)
    await agent(task, before)
    const of = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    const { id, approval_id } = await world.ask<Run>('tasks.run', of, before.key)
    await passOn(task)
    const vote = { approval_id, decision: 'approve' }
    expect(await world.refusal('approvals.decide', vote, before.key)).toMatchObject({
      code: 'approval_decided',
    })
    expect(await read(id)).toMatchObject({ status: 'cancelled' })
    expect(await store.runs.count({ owner_id: after.id })).toBe(0)
  })
})
