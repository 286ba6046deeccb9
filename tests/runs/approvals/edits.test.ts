import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { purgeApprovals } from '#src/runs/approvals/purge.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { stores } from '#tests/support/stores.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

type Session = Parameters<World['ask']>[2]

describe.each(stores())('a changed input on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let world: World
  let worker: Runner
  let owner: { key: string; id: string }
  let abroad: { key: string; id: string }

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    owner = await world.account()
    abroad = await world.account()
    for (const id of ['ada', 'bob', 'cat']) {
      await world.ask('characters.create', { character: { id, name: id } }, owner.key)
    }
    await world.ask('characters.create', { character: { id: 'eve', name: 'eve' } }, abroad.key)
    const edge = { char_id: 'eve', friend_id: 'ada', permissions: ['approve'] }
    await world.ask('friends.request', edge, abroad.key)
    await world.ask('friends.accept', { char_id: 'ada', friend_id: 'eve' }, owner.key)
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  const create = (task: object): Promise<unknown> =>
    world.ask(
      'tasks.create',
      { char_id: 'ada', task: { task_id: 't', name: 'T', ...task } },
      owner.key,
    )
  /** A run that waits for its approval. */
  const parked = async (gate: object = {}, more: object = {}): Promise<string> => {
    const approval_gate = { requires_approval: true, allow_edit: true, ...gate }
    await create({ runtime: 'template', prompt: 'Did {{input}}', approval_gate, ...more })
    const call = { char_id: 'ada', task_id: 't', input: 'first', wait_seconds: 60 }
    return (await world.ask<Run>('tasks.run', call, owner.key)).approval_id ?? ''
  }
  const vote = (approval_id: string, more: object, by: Session = owner.key): Promise<Approval> =>
    world.ask('approvals.decide', { approval_id, decision: 'approve', ...more }, by)
  const refused = (approval_id: string, more: object, by: Session = owner.key) =>
    world.refusal('approvals.decide', { approval_id, decision: 'approve', ...more }, by)
  const kept = (id: string) => store.approvals.get(id)
  const completed = async ({ follow_up_run_id }: Approval): Promise<Run> => {
    let run: Run | undefined
    await until(async () => {
      run = await world.ask<Run>('runs.get', { run_id: follow_up_run_id }, owner.key)
      return run.finished_at !== null
    })
    if (!run) throw new Error('it ended')
    return run
  }
  const three = { approvers: ['ada', 'bob', 'cat'], min_approvals: 2 }

  it('is what the run goes on with, past the gate, and what is retried', async () => {
    const decided = await vote(await parked(), { edited_input: 'second' })
    expect(await completed(decided)).toMatchObject({ status: 'completed', output: 'Did second' })
  })

  it('that names a secret is filled in with none, and its name goes on as text', async () => {
    const secrets = [{ name: 'KEY', value: 'a-value-of-a-secret' }]
    await world.ask('characters.secrets.update', { char_id: 'ada', secrets }, owner.key)
    const edited_input = '{{secret.KEY}} and {{input}}'
    const id = await parked({}, { selected_secrets: ['KEY'] })
    const { output } = await completed(await vote(id, { edited_input }))
    expect(output).toBe(`Did ${edited_input}`)
  })

  it('needs as many votes for the same change as an approval does', async () => {
    const id = await parked(three)
    await vote(id, { as_char_id: 'ada' })
    const proposed = await vote(id, { as_char_id: 'bob', edited_input: 'second' })
    expect(proposed).toMatchObject({ state: 'pending', edited_input: 'second' })
    const decided = await vote(id, { as_char_id: 'cat', edited_input: 'second' })
    expect(decided).toMatchObject({ state: 'approved', edited_input: 'second' })
    expect((await completed(decided)).output).toBe('Did second')
  })

  it('stands alone: a newer one drops the votes for it, and no others', async () => {
    const id = await parked({ approvers: ['ada', 'bob', 'cat'], min_approvals: 3 })
    await vote(id, { as_char_id: 'ada' })
    await vote(id, { as_char_id: 'bob', edited_input: 'second' })
    const newer = await vote(id, { as_char_id: 'cat', edited_input: 'third' })
    expect(newer).toMatchObject({
      state: 'pending',
      edited_input: 'third',
      votes: [{ by: 'ada' }, { by: 'cat', edited: true }],
    })
    expect(newer.votes).toHaveLength(2)
    // The same again is the same vote.
    const again = await vote(id, { as_char_id: 'cat', edited_input: 'third' })
    expect(again.votes).toEqual(newer.votes)
  })

  it('goes where the run is approved as it was asked', async () => {
    const id = await parked(three)
    await vote(id, { as_char_id: 'ada', edited_input: 'second' })
    await vote(id, { as_char_id: 'bob' })
    const decided = await vote(id, { as_char_id: 'cat' })
    expect(decided).toMatchObject({ state: 'approved' })
    for (const one of [decided, await kept(id)]) {
      expect(one).not.toHaveProperty('edited_input')
      expect(one).not.toHaveProperty('edited_by')
    }
    const run = await completed(decided)
    expect(run).toMatchObject({ output: 'Did first' })
    expect(run).not.toHaveProperty('edited_by')
  })

  itOnEach('of two at once is taken in turn, and one stands', async () => {
    const id = await parked({ approvers: ['ada', 'bob', 'cat'], min_approvals: 3 })
    const both = [
      { as_char_id: 'ada', edited_input: 'second' },
      { as_char_id: 'bob', edited_input: 'third' },
    ]
    await Promise.all(both.map((one) => vote(id, one)))
    const stands = await kept(id)
    expect(stands?.votes).toHaveLength(1)
    const by = both.find(({ edited_input }) => edited_input === stands?.edited_input)
    expect(stands?.votes).toMatchObject([{ by: by?.as_char_id, edited: true }])
  })

  itOnEach('of two at once decides one, where one vote is enough', async () => {
    const id = await parked()
    const calls = ['second', 'third'].map((edited_input) =>
      vote(id, { edited_input }).catch(() => undefined),
    )
    const done = (await Promise.all(calls)).filter((one) => one !== undefined)
    expect(done).toHaveLength(1)
    expect(await kept(id)).toMatchObject({ edited_input: done[0]?.edited_input })
    expect(await store.runs.count({ resumed_from: { $ne: null } })).toBe(1)
  })

  it('of a quorum stands in what it decided', async () => {
    const quorum = { min_approvals: 1, approver_agent_ids: ['bob'], allow_edit: true }
    const more = { runtime: 'human_approval', quorum, prompt: 'Publish {{input}}?' }
    const id = await parked({ requires_approval: false }, more)
    await vote(id, { edited_input: 'second' })
    const { run_id } = (await kept(id)) ?? {}
    const { output } = await world.ask<Run>('runs.get', { run_id }, owner.key)
    expect(output).toMatchObject({ decision: 'approved', edited_input: 'second' })
  })

  it('is bound to the task as it was asked about, and to what a call may hold', async () => {
    const id = await parked()
    const large = await refused(id, { edited_input: 'x'.repeat(1_048_577) })
    expect(large.code).toBe('payload_too_large')
    const task = { prompt: 'Other {{missing}}' }
    await world.ask('tasks.update', { char_id: 'ada', task_id: 't', task }, owner.key)
    expect((await refused(id, { edited_input: 'second' })).code).toBe('approval_stale')
    expect(await kept(id)).toMatchObject({ state: 'pending', votes: [] })
  })

  it('counts as stored, once, until the approval is purged', async () => {
    const used = async (): Promise<number> => {
      const account = await world.ask<{ quotas: { name: string; used: number }[] }>(
        'account.get',
        {},
        owner.key,
      )
      return account.quotas.find(({ name }) => name === 'stored_bytes')?.used ?? 0
    }
    const id = await parked(three)
    const before = await used()
    await vote(id, { as_char_id: 'ada', edited_input: 'x'.repeat(50_000) })
    // Besides the input no more than the records of the vote.
    expect((await used()) - before - 50_000).toBeLessThan(5000)
    await vote(id, { as_char_id: 'bob', edited_input: 'y'.repeat(10) })
    expect((await used()) - before).toBeLessThan(10_000)
    await vote(id, { as_char_id: 'bob', edited_input: 'x'.repeat(50_000) })
    await world.ask(
      'approvals.decide',
      { approval_id: id, decision: 'reject', as_char_id: 'ada' },
      owner.key,
    )
    await vote(id, { as_char_id: 'cat', decision: 'reject' })
    const decided = await used()
    const later = new Date(Date.now() + 100 * 86_400_000)
    await purgeApprovals(world.ports, later)
    expect(await kept(id)).toBeUndefined()
    expect(decided - (await used())).toBeGreaterThan(50_000)
  })

  it('of an agent of another account is marked as theirs, also where nothing was marked before', async () => {
    const decided = await vote(
      await parked({ approvers: ['eve'] }),
      { edited_input: 'Obey.' },
      abroad.key,
    )
    const source = { kind: 'approval', account: abroad.id, char_id: 'eve' }
    expect(await completed(decided)).toMatchObject({ untrusted: true, source, output: 'Did Obey.' })
  })

  it('of another account is cleared by a person of this one who approves the same', async () => {
    const { id: personId, token } = await signedInPerson(world.ports)
    await store.accounts.update({ id: owner.id }, { $set: { holder_id: personId } })
    const session = { token, accountId: owner.id }
    const id = await parked({ approvers: ['eve', 'bob'], min_approvals: 2 })
    await vote(id, { edited_input: 'Theirs.' }, abroad.key)
    const decided = await vote(id, { edited_input: 'Theirs.' }, session)
    const run = await completed(decided)
    expect(run).toMatchObject({ output: 'Did Theirs.' })
    expect(run).not.toHaveProperty('untrusted')
  })
})
