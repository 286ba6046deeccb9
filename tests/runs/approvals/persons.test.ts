import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SentSession } from '#src/core/admission/session.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { approvalsDue } from '#src/work/approvals.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import {
  signedInAgain,
  signedInPerson,
  type SignedInPerson,
} from '#tests/accounts/people/persons.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

interface Holder extends SignedInPerson {
  session: SentSession
  key: string
  accountId: string
}

describe.each(oneStore())('an approval that asks a person on $name', (kind) => {
  let store: Store
  let clock: FakeClock
  let world: World
  let worker: Runner
  let ada: Holder

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = openWorld(store, { clock })
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    ada = await holder('ada', 'bob')
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  /** An account that a person holds, with these agents. */
  const holder = async (...agents: string[]): Promise<Holder> => {
    const { key, id: accountId } = await world.account()
    const person = await signedInPerson(world.ports)
    await store.accounts.update({ id: accountId }, { $set: { holder_id: person.id } })
    for (const id of agents) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
    return { ...person, key, accountId, session: { token: person.token, accountId } }
  }
  /** A run that waits, and its approval. */
  const parked = async (task: object): Promise<{ run: Run; approval_id: string }> => {
    const whole = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi', ...task }
    await world.ask('tasks.create', { char_id: 'ada', task: whole }, ada.key)
    const call = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    const run = await world.ask<Run>('tasks.run', call, ada.key)
    return { run, approval_id: run.approval_id ?? '' }
  }
  const gated = (more: object = {}) =>
    parked({ approval_gate: { requires_approval: true, require_person: true, ...more } })
  const vote = (approval_id: string, by: SentSession, more: object = {}) =>
    world.ask<Approval>('approvals.decide', { approval_id, decision: 'approve', ...more }, by)
  const refused = (approval_id: string, by: SentSession | string, more: object = {}) =>
    world.refusal('approvals.decide', { approval_id, decision: 'approve', ...more }, by)

  it('takes no key, and goes on once a person has approved it', async () => {
    const { approval_id, run } = await gated()
    const scope = { name: 'Scoped', scope_char_id: 'ada', rights: ['policy'] }
    const { key } = await world.ask<{ key: string }>('api_keys.create', scope, ada.key)
    for (const by of [ada.key, key]) {
      const { code, hint } = await refused(approval_id, by, { as_char_id: 'ada' })
      expect(code).toBe('person_needed')
      expect(hint).toContain(`http://127.0.0.1:8080/approvals/${approval_id}`)
    }
    expect((await store.approvals.get(approval_id))?.votes).toEqual([])
    const decided = await vote(approval_id, ada.session)
    expect(decided).toMatchObject({ state: 'approved', votes: [{ by: 'ada' }] })
    expect(await store.runs.get(run.id)).toMatchObject({ reason: 'resumed' })
  })

  it('says in its notice where a person decides it', async () => {
    const { approval_id } = await gated()
    const [notice] = await store.notices.find({ approval_id })
    expect(notice?.message).toContain('Only a person who is signed in decides it')
    expect(notice?.message).toContain(`/approvals/${approval_id}`)
  })

  it('counts a person once, however many of the agents that are asked are theirs', async () => {
    const eve = await holder('eve')
    const edge = { char_id: 'eve', friend_id: 'ada', permissions: ['approve'] }
    await world.ask('friends.request', edge, eve.key)
    await world.ask('friends.accept', { char_id: 'ada', friend_id: 'eve' }, ada.key)
    const { approval_id } = await gated({ approvers: ['ada', 'bob', 'eve'], min_approvals: 2 })
    await vote(approval_id, ada.session, { as_char_id: 'ada' })
    const again = await signedInAgain(world.ports, ada)
    const other = { token: again.token, accountId: ada.accountId }
    const moved = await vote(approval_id, other, { as_char_id: 'bob' })
    expect(moved).toMatchObject({ state: 'pending', votes: [{ by: 'bob' }] })
    expect(moved.votes).toHaveLength(1)
    const decided = await vote(approval_id, eve.session)
    expect(decided).toMatchObject({ state: 'approved', votes: [{ by: 'bob' }, { by: 'eve' }] })
  })

  it('is not asked where fewer persons hold the accounts than must approve', async () => {
    const { run } = await gated({ approvers: ['ada', 'bob'], min_approvals: 2 })
    expect(run).toMatchObject({ status: 'failed', error: { code: 'approval_unreachable' } })
    expect(run.error?.message).toContain('2 persons')
  })

  it('takes none of a person who is signed out, holds the account no longer, or of a closed one', async () => {
    const { approval_id } = await gated()
    await store.accounts.update({ id: ada.accountId }, { $set: { holder_id: 'usr_other' } })
    expect(await refused(approval_id, ada.session)).toMatchObject({ code: 'forbidden' })
    const closed_at = clock.now().toISOString()
    const closing = { $set: { holder_id: ada.id, closed_at } }
    await store.accounts.update({ id: ada.accountId }, closing)
    expect((await refused(approval_id, ada.session)).code).toBe('forbidden')
    await store.accounts.update({ id: ada.accountId }, { $unset: { closed_at: true } })
    await store.sessions.update({ id: ada.session_id }, { $set: { revoked_at: closed_at } })
    expect((await refused(approval_id, ada.session)).code).toBe('invalid_credential')
    expect(await store.approvals.get(approval_id)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('is decided by who holds the account now, in place of who held it when it was asked', async () => {
    const eve = await holder('eve')
    const edge = { char_id: 'eve', friend_id: 'ada', permissions: ['approve'] }
    await world.ask('friends.request', edge, eve.key)
    await world.ask('friends.accept', { char_id: 'ada', friend_id: 'eve' }, ada.key)
    const { approval_id, run } = await gated({ approvers: ['ada', 'bob', 'eve'], min_approvals: 2 })
    await vote(approval_id, ada.session, { as_char_id: 'ada' })
    const next = await signedInPerson(world.ports)
    await store.accounts.update({ id: ada.accountId }, { $set: { holder_id: next.id } })
    const { code, detail } = await refused(approval_id, ada.session)
    expect(code).toBe('forbidden')
    // The caller may have been looked up before.
    expect(detail).toMatch(/no member of the account/)
    const by = { token: next.token, accountId: ada.accountId }
    const moved = await vote(approval_id, by, { as_char_id: 'bob' })
    expect(moved).toMatchObject({ state: 'pending', votes: [{ by: 'bob' }] })
    expect(moved.votes).toHaveLength(1)
    expect(await vote(approval_id, eve.session)).toMatchObject({ state: 'approved' })
    expect(await store.runs.get(run.id)).toMatchObject({ reason: 'resumed' })
  })

  it('counts no vote whose person loses the account while it is stored', async () => {
    const { approval_id } = await gated()
    const next = await signedInPerson(world.ports)
    const stored = store.commit.bind(store)
    let isLost = false
    vi.spyOn(world.ports.store, 'commit').mockImplementation(async (writes) => {
      if (!isLost) {
        isLost = true
        await store.accounts.update({ id: ada.accountId }, { $set: { holder_id: next.id } })
      }
      return stored(writes)
    })
    expect((await refused(approval_id, ada.session)).code).toBe('forbidden')
    expect(await store.approvals.get(approval_id)).toMatchObject({ state: 'pending', votes: [] })
    const by = { token: next.token, accountId: ada.accountId }
    expect(await vote(approval_id, by)).toMatchObject({ state: 'approved' })
  })

  it('of a quorum falls to a person too when its time is up, and expires without one', async () => {
    const quorum = {
      min_approvals: 1,
      approver_agent_ids: ['ada'],
      fallback_agent_id: 'bob',
      timeout_seconds: 60,
      require_person: true,
    }
    const { approval_id } = await parked({ runtime: 'human_approval', quorum })
    await clock.advance(60_000)
    await approvalsDue(world.ports)
    expect((await refused(approval_id, ada.key, { as_char_id: 'bob' })).code).toBe('person_needed')
    expect(await vote(approval_id, ada.session)).toMatchObject({
      state: 'approved',
      votes: [{ by: 'bob', decided_by: { kind: 'person', person_id: ada.id } }],
    })
    const call = { char_id: 'ada', task_id: 't', wait_seconds: 60 }
    const { approval_id: second } = await world.ask<Run>('tasks.run', call, ada.key)
    await clock.advance(60_000)
    await approvalsDue(world.ports)
    await clock.advance(86_400_000)
    await approvalsDue(world.ports)
    expect(await store.approvals.get(second ?? '')).toMatchObject({ state: 'expired' })
  })

  it('is still waited for while a person may decide it, and no longer than that', async () => {
    const { approval_id } = await gated({ approvers: ['bob'] })
    await clock.advance(86_400_000)
    await approvalsDue(world.ports)
    expect(await store.approvals.get(approval_id)).toMatchObject({ state: 'pending' })
    await world.ask('characters.delete', { char_id: 'bob' }, ada.key)
    await clock.advance(86_400_000)
    await approvalsDue(world.ports)
    expect(await store.approvals.get(approval_id)).toMatchObject({ state: 'expired' })
  })
})
