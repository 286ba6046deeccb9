import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Approval } from '#src/runs/approvals/approval.ts'
import { approvalBehind } from '#src/runs/approvals/gate.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { approvalsDue } from '#src/work/approvals.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const subject = { char_id: 'ada', task_id: 't' }

describe.each(oneStore())('a vote on an approval on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let worker: Runner
  let key: string

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    key = (await world.account()).key
    for (const id of ['ada', 'grace', 'alan', 'edsger']) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  /** A run that waits for its approval, and the approval's id. */
  const parked = async (task: object): Promise<{ run_id: string; approval_id: string }> => {
    const whole = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', ...task }
    await world.ask('tasks.create', { char_id: 'ada', task: whole }, key)
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
    return { run_id: run.id, approval_id: run.approval_id ?? '' }
  }
  const gated = (more: object = {}) =>
    parked({ approval_gate: { requires_approval: true, ...more }, memory_namespace: 'notes' })
  const quorum = (more: object = {}) => {
    const approver_agent_ids = ['ada', 'grace', 'alan']
    const terms = { min_approvals: 2, approver_agent_ids, ...more }
    return parked({ runtime: 'human_approval', prompt: 'Publish?', quorum: terms })
  }
  const vote = (approval_id: string, more: object): Promise<Approval> =>
    world.ask('approvals.decide', { approval_id, decision: 'approve', ...more }, key)
  const refused = (approval_id: string, more: object, as = key) =>
    world.refusal('approvals.decide', { approval_id, decision: 'approve', ...more }, as)
  const votesOn = async (id: string) => (await store.approvals.get(id))?.votes
  const scoped = async (scope_char_id: string): Promise<string> => {
    const input = { name: 'Scoped', scope_char_id }
    return (await world.ask<{ key: string }>('api_keys.create', input, key)).key
  }

  it('is replaced by an equal vote with another reason', async () => {
    const { approval_id } = await quorum()
    await vote(approval_id, { as_char_id: 'ada', reason: 'Read' })
    await vote(approval_id, { as_char_id: 'ada', reason: 'Read twice' })
    expect(await votesOn(approval_id)).toMatchObject([{ by: 'ada', reason: 'Read twice' }])
  })

  it('of an agent that is not an approver is refused by name, with a hint', async () => {
    const { approval_id } = await gated({ approvers: ['grace', 'alan'], min_approvals: 2 })
    const named = await refused(approval_id, { as_char_id: 'edsger' })
    expect(named).toMatchObject({ code: 'forbidden', hint: expect.stringContaining('as_char_id') })
    expect(named.detail).toBe('"edsger" is not an approver.')
    // A key of one agent can vote only as that agent.
    const bound = await refused(approval_id, {}, await scoped('ada'))
    expect(bound).toMatchObject({ code: 'forbidden', detail: '"ada" is not an approver.' })
    expect(bound.hint).toBeUndefined()
    expect(await refused(approval_id, {})).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/as_char_id', code: 'required' }],
    })
    for (const char_id of ['grace', 'alan']) {
      await world.ask('characters.delete', { char_id }, key)
    }
    const none = await refused(approval_id, {})
    expect(none).toMatchObject({
      code: 'forbidden',
      detail: 'None of your agents is an approver.',
    })
    expect(none.hint).toBeUndefined()
  })

  it('of an approver is refused once the fallback agent decides', async () => {
    const { approval_id } = await quorum({ timeout_seconds: 60, fallback_agent_id: 'edsger' })
    await clock.advance(60_000)
    await approvalsDue(world.ports)
    const late = await refused(approval_id, { as_char_id: 'grace' })
    expect(late.code).toBe('forbidden')
    expect(late.detail).toMatch(/^"grace" is not the fallback agent, which alone decides now/)
    expect(await vote(approval_id, {})).toMatchObject({ state: 'approved' })
  })

  itOnEach.each([
    ['has ended', (id: string) => store.runs.update({ id }, { $set: { status: 'cancelled' } })],
    ['asks for another', (id: string) => store.runs.update({ id }, { $set: { approval_id: 'a' } })],
    ['is there no more', (id: string) => store.runs.delete({ id })],
  ])('is not counted for a run that %s', async (_, change) => {
    const { run_id, approval_id } = await quorum()
    await change(run_id)
    expect(await refused(approval_id, { as_char_id: 'ada' })).toMatchObject({
      code: 'write_conflict',
    })
    expect(await votesOn(approval_id)).toEqual([])
  })

  it.each(['abandon', 'notify_only'])(
    'that never comes lets nothing of the run be passed on, with on_reject %s',
    async (on_reject) => {
      const { run_id } = await gated({ timeout_seconds: 60, on_reject })
      await clock.advance(60_000)
      await approvalsDue(world.ports)
      expect(await world.ask('runs.get', { run_id }, key)).toMatchObject({
        status: on_reject === 'abandon' ? 'abandoned' : 'completed',
        reason: 'expired',
      })
      expect(await store.memory.count({})).toBe(0)
    },
  )

  it('opens the gate to the run that goes on after it, and to no other', async () => {
    const { run_id, approval_id } = await gated()
    await worker.stop()
    const { follow_up_run_id } = await vote(approval_id, {})
    const run = await store.runs.get(follow_up_run_id ?? '')
    const task = await store.tasks.get('ada/t')
    if (!run || !task) throw new Error('there is a run that goes on, and its task')
    const behind = async (more: object = {}) =>
      (await approvalBehind(store, { ...run, ...more }, task))?.id
    expect(await behind()).toBe(approval_id)
    expect(await behind({ id: 'run_other' })).toBeUndefined()
    // A run that has been swept, and one that waited for nothing.
    expect(await behind({ resumed_from: 'run_gone' })).toBeUndefined()
    expect(await behind({ resumed_from: run.id })).toBeUndefined()
    await store.approvals.update({ id: approval_id }, { $set: { state: 'rejected' } })
    expect(await behind()).toBeUndefined()
    await store.approvals.delete({ id: approval_id })
    expect(await behind()).toBeUndefined()
    expect((await store.runs.get(run_id))?.approval_id).toBe(approval_id)
  })
})
