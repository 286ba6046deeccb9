import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SentSession } from '#src/core/admission/session.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { heldAccount, newMember, type Acting, type Held } from './crew.ts'

interface Recorded {
  items: { operation: string; actor: object; about: object }[]
}

describe.each(stores())('an approval of several persons on $name', (kind) => {
  let world: World
  let worker: Runner
  let held: Held
  let grace: Acting

  beforeEach(async () => {
    world = openWorld(await kind.open())
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    held = await heldAccount(world)
    grace = await newMember(world, held, 'approver')
    for (const id of ['ada', 'bob', 'eve']) {
      await world.ask('characters.create', { character: { id, name: id } }, held.key)
    }
  })
  afterEach(async () => {
    await worker.stop()
    await world.ports.store.close()
  })

  const parked = async (gate: object, task: object = {}): Promise<Run> => {
    const approval_gate = { requires_approval: true, require_person: true, ...gate }
    const whole = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', approval_gate }
    await world.ask('tasks.create', { char_id: 'ada', task: { ...whole, ...task } }, held.key)
    const call = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    return world.ask<Run>('tasks.run', call, held.key)
  }
  const vote = ({ approval_id }: Run, by: SentSession, more: object = {}) =>
    world.ask<Approval>('approvals.decide', { approval_id, decision: 'approve', ...more }, by)
  const refused = async (run: Run, by: SentSession) =>
    (
      await world.refusal(
        'approvals.decide',
        { approval_id: run.approval_id, decision: 'reject' },
        by,
      )
    ).code

  it('is decided by an approver under their own name, and the run goes on', async () => {
    const run = await parked({})
    const decided = await vote(run, grace.session, { reason: 'Checked' })
    const decided_by = { kind: 'person', person_id: grace.id, session_id: grace.session_id }
    expect(decided).toMatchObject({ state: 'approved', votes: [{ by: 'ada', decided_by }] })
    const follow = decided.follow_up_run_id ?? ''
    const after = () => world.ask<Run>('runs.get', { run_id: follow }, grace.session)
    await expect.poll(after).toMatchObject({ status: 'completed', output: 'Hi' })
    const about = { limit: 5 }
    const { items } = await world.ask<Recorded>('account.audit', about, held.holder.session)
    expect(items[0]).toMatchObject({
      operation: 'approvals.decide',
      actor: decided_by,
      about: { approval_id: run.approval_id },
    })
  })

  it('is decided by no reader, and by no one who has left or was made less meanwhile', async () => {
    const run = await parked({})
    const reader = await newMember(world, held, 'reader')
    expect(await refused(run, reader.session)).toBe('role_needed')
    const about = { member_id: grace.id, role: 'reader' }
    await world.ask('account.members.update', about, held.holder.session)
    expect(await refused(run, grace.session)).toBe('role_needed')
    await world.ask('account.members.delete', { member_id: grace.id }, held.holder.session)
    expect(await refused(run, grace.session)).toBe('forbidden')
    expect(await vote(run, held.holder.session)).toMatchObject({ state: 'approved' })
  })

  it('is rejected by one person, who is named to all', async () => {
    const run = await parked({ on_reject: 'notify_only' })
    await vote(run, grace.session, { decision: 'reject' })
    const { approval_id } = run
    const [notice] = await world.ports.store.notices.find({
      approval_id,
      type: 'approval.rejected',
    })
    expect(notice?.message).toContain(`was rejected by ${grace.email}.`)
  })

  it('takes two persons of one account where two must approve, each once', async () => {
    const run = await parked({ approvers: ['ada', 'bob'], min_approvals: 2 })
    await vote(run, grace.session)
    const again = await vote(run, grace.session, { reason: 'Sure' })
    expect(again).toMatchObject({ state: 'pending', votes: [{ by: 'ada', reason: 'Sure' }] })
    const decided = await vote(run, held.holder.session)
    expect(decided).toMatchObject({ state: 'approved', votes: [{ by: 'ada' }, { by: 'bob' }] })
  })

  it('counts no vote of who has left before it is decided', async () => {
    const alan = await newMember(world, held, 'owner')
    const run = await parked({ approvers: ['ada', 'bob', 'eve'], min_approvals: 2 })
    await vote(run, grace.session)
    await world.ask('account.members.delete', { member_id: grace.id }, held.holder.session)
    const one = await vote(run, alan.session)
    expect(one).toMatchObject({ state: 'pending', votes: [{ decided_by: { person_id: alan.id } }] })
    expect(one.votes).toHaveLength(1)
    expect(await vote(run, held.holder.session)).toMatchObject({ state: 'approved' })
  })

  it('asks for no more persons than there are', async () => {
    const gate = { approvers: ['ada', 'bob', 'eve'], min_approvals: 3 }
    const run = await parked(gate)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'approval_unreachable' } })
    expect(run.error?.message).toContain('and 2 may decide')
    const approval_gate = { requires_approval: true, require_person: true, ...gate }
    const told = { char_id: 'ada', task_id: 't', task: { approval_gate } }
    const { warnings } = await world.ask<{ warnings: { code: string; message: string }[] }>(
      'tasks.update',
      told,
      held.key,
    )
    expect(warnings.map(({ code }) => code)).toContain('approval_unreachable')
    await newMember(world, held, 'approver')
    const enough = await world.ask<{ warnings?: { code: string }[] }>(
      'tasks.update',
      told,
      held.key,
    )
    expect(enough.warnings?.map(({ code }) => code) ?? []).not.toContain('approval_unreachable')
  })

  it('leaves where a secret goes to owners', async () => {
    const { store } = world.ports
    const run = await parked({ require_person: false })
    const change = { kind: 'secret_origin' as const, approvers: [], approver_owners: [] }
    await store.approvals.update({ id: run.approval_id ?? '' }, { $set: change })
    expect(await refused(run, grace.session)).toBe('role_needed')
    const policy = { approvals_need_person: true }
    await world.ask('account.update', policy, held.key)
    expect(await refused(run, grace.session)).toBe('role_needed')
  })
})
