import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { oneStore } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const subject = { char_id: 'ada', task_id: 't' }
const task = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi' }

describe.each(oneStore())('whose call it was on $name', (kind) => {
  let store: Store
  let world: World
  let worker: Runner
  let account: { key: string; id: string }
  let keyId: string

  beforeEach(async () => {
    const opened = await kind.open()
    store = opened
    world = openWorld(opened)
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    account = await world.account()
    const [key] = await store.api_keys.find({ account_id: account.id })
    keyId = key?.id ?? ''
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, account.key)
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  /** A person who holds the account, with the session by which they act for it. */
  const holder = async () => {
    const person = await signedInPerson(world.ports)
    await store.accounts.update({ id: account.id }, { $set: { holder_id: person.id } })
    const actor = { kind: 'person', person_id: person.id, session_id: person.session_id }
    return { session: { token: person.token, accountId: account.id }, actor }
  }
  const make = (more: object) =>
    world.ask('tasks.create', { char_id: 'ada', task: { ...task, ...more } }, account.key)
  const runById = (run_id: string) => world.ask<Run>('runs.get', { run_id }, account.key)

  it('is kept on a run that a key or a person starts, and shown in lists', async () => {
    await make({})
    const { session, actor } = await holder()
    const byKey = await world.ask<Run>('tasks.run', subject, account.key)
    const byPerson = await world.ask<Run>('tasks.run', subject, session)
    expect(byKey.started_by).toEqual({ kind: 'key', key_id: keyId })
    expect(byPerson.started_by).toEqual(actor)
    const { items } = await world.ask<{ items: Run[] }>('runs.list', {}, account.key)
    const listed = items.map(({ started_by }) => started_by)
    expect(listed).toEqual([byPerson.started_by, byKey.started_by])
  })

  it('is kept on runs of actions and messages, and of no one on what they hand on', async () => {
    const output_sharing = { enabled: true, target_agent_id: 'ada', target_task_id: 'next' }
    const triggers = [{ type: 'action', config: { name: 'go' } }, { type: 'message' }]
    await make({ triggers, output_sharing })
    await make({ task_id: 'next', name: 'Next' })
    const byKey = { kind: 'key', key_id: keyId }
    const acted = await world.ask<{ runs: string[] }>(
      'actions.invoke',
      { char_id: 'ada', name: 'go' },
      account.key,
    )
    const told = await world.ask<{ runs: string[] }>(
      'messages.send',
      { char_id: 'ada', to: 'ada', body: 'Hi' },
      account.key,
    )
    for (const id of [...acted.runs, ...told.runs]) {
      expect((await runById(id)).started_by).toEqual(byKey)
      await world.ask('runs.list', { root_run_id: id, wait_seconds: 10 }, account.key)
      const [next] = await store.runs.find({ parent_run_id: id })
      expect(next).toMatchObject({ task_id: 'next', started_by: null })
    }
  })

  it('is no one where a webhook is called', async () => {
    await make({ triggers: [{ type: 'webhook', config: { path: 'in' } }] })
    const input = { char_id: 'ada', path: 'in', body: {} }
    const { runs } = await world.ask<{ runs: string[] }>('hooks.receive', input)
    expect((await runById(runs[0] ?? '')).started_by).toBeNull()
  })

  it('is kept on each vote, and the run that goes on is of who started the first', async () => {
    const { session, actor } = await holder()
    await world.ask('characters.create', { character: { id: 'bob', name: 'Bob' } }, account.key)
    const gate = { requires_approval: true, approvers: ['ada', 'bob'], min_approvals: 2 }
    await make({ approval_gate: gate })
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, account.key)
    const vote = { approval_id: run.approval_id, decision: 'approve' }
    const byKey = { kind: 'key', key_id: keyId }
    await world.ask('approvals.decide', { ...vote, as_char_id: 'ada' }, account.key)
    // The same said by another: now it is their vote.
    const again = { ...vote, as_char_id: 'ada' }
    const said = await world.ask<Approval>('approvals.decide', again, session)
    expect(said.votes).toMatchObject([{ by: 'ada', decided_by: actor }])
    const [first] = said.votes
    // Said again by the same person it stays as it was.
    const same = await world.ask<Approval>('approvals.decide', again, session)
    expect(same.votes).toEqual([first])
    const bob = { ...vote, as_char_id: 'bob' }
    const decided = await world.ask<Approval>('approvals.decide', bob, account.key)
    expect(decided.votes).toMatchObject([
      { by: 'ada', decided_by: actor },
      { by: 'bob', decided_by: byKey },
    ])
    const follow = await runById(decided.follow_up_run_id ?? '')
    expect(follow.started_by).toEqual(byKey)
  })

  it('is not said of runs and votes of before it was kept', async () => {
    await make({ approval_gate: { requires_approval: true, approvers: ['ada'] } })
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, account.key)
    await store.runs.update({ id: run.id }, { $unset: { started_by: true } })
    expect(await runById(run.id)).not.toHaveProperty('started_by')
    const vote = { approval_id: run.approval_id, decision: 'approve' }
    const decided = await world.ask<Approval>('approvals.decide', vote, account.key)
    expect((await runById(decided.follow_up_run_id ?? '')).started_by).toBeNull()
  })
})
