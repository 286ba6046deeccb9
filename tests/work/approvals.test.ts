import { afterEach, beforeEach, describe, expect, it as itOnEach } from 'vitest'
import type { Approval, StoredApproval } from '#src/runs/approvals/approval.ts'
import type { Store } from '#src/ports/store.ts'
import type { Run } from '#src/runs/run.ts'
import { approvalsDue } from '#src/work/approvals.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { upkeep } from '#src/work/upkeep.ts'
import { watchOthers } from '#src/work/watch.ts'
import { fakeClock, type FakeClock } from '#tests/support/fake-clock.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { openWorld, type World } from '#tests/support/world.ts'
import { until } from '#tests/support/until.ts'

const gate = { requires_approval: true, approval_prompt: 'Send it?' }
const day = 86_400_000

describe.each(stores())('approvals on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let store: Store
  let clock: FakeClock
  let world: World
  let key: string
  let worker: Runner
  const running: Runner[] = []

  const open = (): World => openWorld(store, { clock })
  const started = (made: World): Runner => {
    const one = runner(made.ports, 4)
    made.ports.wake.connect('runs', (count) => one.wake(count))
    running.push(one)
    return one
  }

  beforeEach(async () => {
    const opened = await kind.open()
    clock = fakeClock()
    // The store's clock is the test's.
    store = {
      ...opened,
      now: () => Promise.resolve(clock.now()),
      leaseTime: () => Promise.resolve(clock.now()),
    }
    world = open()
    worker = started(world)
    key = (await world.account()).key
    for (const id of ['ada', 'grace', 'alan', 'edsger']) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
    await store.close()
  })

  const withTask = async (task: object): Promise<{ char_id: string; task_id: string }> => {
    const whole = { task_id: 't', name: 'T', runtime: 'template', prompt: 'Hi {{input}}', ...task }
    await world.ask('tasks.create', { char_id: 'ada', task: whole }, key)
    return { char_id: 'ada', task_id: 't' }
  }
  const read = (run_id: string): Promise<Run> => world.ask('runs.get', { run_id }, key)
  const approvalOf = (id: string | null): Promise<Approval> =>
    world.ask('approvals.get', { approval_id: id }, key)
  const stateIs = (id: string, status: Run['status']): Promise<void> =>
    until(async () => (await read(id)).status === status)
  /** A run that has been parked for its approval. */
  const parked = async (subject: object): Promise<Run> => {
    const { id } = await world.ask<Run>('tasks.run', { ...subject, input: 'x' }, key)
    await stateIs(id, 'waiting_approval')
    return read(id)
  }
  const vote = (run: Run, as_char_id: string, decision = 'approve'): Promise<Approval> =>
    world.ask('approvals.decide', { approval_id: run.approval_id, as_char_id, decision }, key)
  const quorum = (more: object = {}): object => ({
    runtime: 'human_approval',
    prompt: 'Publish {{input}}?',
    quorum: { min_approvals: 2, approver_agent_ids: ['ada', 'grace', 'alan'], ...more },
  })
  const notices = async (): Promise<{ type: string; run_id: string }[]> =>
    (await world.ask<{ items: { type: string; run_id: string }[] }>('account.inbox', {}, key)).items

  it('parks a gated run before its runtime starts, and its follow-up does the work', async () => {
    const run = await parked(await withTask({ approval_gate: gate }))
    expect(run).toMatchObject({ output: null, finished_at: null })
    expect(await approvalOf(run.approval_id)).toMatchObject({
      state: 'pending',
      run_id: run.id,
      prompt: 'Send it?',
      input: 'x',
      approvers: ['ada'],
      needed: 1,
      expires_at: null,
    })
    const decided = await vote(run, 'ada')
    expect(decided).toMatchObject({ state: 'approved', votes: [{ by: 'ada' }] })
    expect(await read(run.id)).toMatchObject({ status: 'completed', reason: 'resumed' })
    const followUp = decided.follow_up_run_id ?? ''
    await stateIs(followUp, 'completed')
    expect(await read(followUp)).toMatchObject({
      output: 'Hi x',
      resumed_from: run.id,
      root_run_id: run.id,
      depth: 0,
      trigger: run.trigger,
    })
    expect(await store.runs.count({ char_id: 'ada' })).toBe(2)
  })

  itOnEach(
    'lets an agent that leases prompt runs see a gated one only after its approval',
    async () => {
      const subject = await withTask({ approval_gate: gate, runtime: 'prompt' })
      const run = await parked(subject)
      expect(await world.ask('runs.lease', {}, key)).toMatchObject({ run: null })
      const { follow_up_run_id } = await vote(run, 'ada')
      expect(await world.ask('runs.lease', {}, key)).toMatchObject({
        run: { id: follow_up_run_id },
      })
    },
  )

  itOnEach('parks a run at its lease when the gate was set after it was queued', async () => {
    const subject = await withTask({ runtime: 'prompt' })
    const { id } = await world.ask<Run>('tasks.run', subject, key)
    await world.ask('tasks.update', { ...subject, task: { approval_gate: gate } }, key)
    expect(await world.ask('runs.lease', {}, key)).toMatchObject({ run: null })
    expect(await read(id)).toMatchObject({ status: 'waiting_approval' })
  })

  it('answers a caller that waits for the result as soon as the run waits for an approval', async () => {
    const subject = await withTask({ approval_gate: gate })
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
    expect(run).toMatchObject({ status: 'waiting_approval' })
    expect(run.approval_id).toMatch(/^apr_/)
  })

  it('fails a run that asks more agents than it may', async () => {
    const approvers = Array.from({ length: 101 }, (_, i) => `agent-${i}`)
    const subject = await withTask({ approval_gate: { ...gate, approvers } })
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'too_many_approvers' } })
  })

  it('asks again when the task is changed between the approval and its follow-up', async () => {
    const subject = await withTask({ approval_gate: gate })
    const run = await parked(subject)
    await worker.stop()
    const { follow_up_run_id } = await vote(run, 'ada')
    await world.ask('tasks.update', { ...subject, task: { prompt: 'Bye {{input}}' } }, key)
    world = open()
    worker = started(world)
    worker.wake(1)
    await stateIs(follow_up_run_id ?? '', 'waiting_approval')
    const again = await read(follow_up_run_id ?? '')
    const decided = await vote(again, 'ada')
    await stateIs(decided.follow_up_run_id ?? '', 'completed')
    expect(await read(decided.follow_up_run_id ?? '')).toMatchObject({ output: 'Bye x' })
  })

  it('refuses to approve what would no longer run that way, and lets it be rejected', async () => {
    const subject = await withTask({ approval_gate: gate })
    const run = await parked(subject)
    await world.ask('tasks.update', { ...subject, task: { description: 'The same' } }, key)
    const input = { approval_id: run.approval_id, decision: 'approve' }
    await world.ask('tasks.update', { ...subject, task: { prompt: 'Other' } }, key)
    expect(await world.refusal('approvals.decide', input, key)).toMatchObject({
      code: 'approval_stale',
    })
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'pending', votes: [] })
    expect(await vote(run, 'ada', 'reject')).toMatchObject({ state: 'rejected' })
  })

  it('is not stale for what does not change the work', async () => {
    const subject = await withTask({ approval_gate: gate })
    const run = await parked(subject)
    const task = { description: 'New', name: 'New', enabled: false, tags: ['a'] }
    await world.ask('tasks.update', { ...subject, task }, key)
    expect(await vote(run, 'ada')).toMatchObject({ state: 'approved' })
  })

  it.each([
    ['abandon', { status: 'abandoned', reason: 'rejected' }, []],
    ['notify_only', { status: 'completed', reason: 'rejected' }, ['approval.rejected']],
  ] as const)('ends a rejected run as on_reject %s says', async (on_reject, end, told) => {
    const sharing = { enabled: true, target_agent_id: 'grace' }
    const task = { approval_gate: { ...gate, on_reject }, output_sharing: sharing }
    const run = await parked(await withTask(task))
    expect(await vote(run, 'ada', 'reject')).toMatchObject({
      state: 'rejected',
      follow_up_run_id: null,
    })
    expect(await read(run.id)).toMatchObject({ ...end, output: null, error: null })
    const types = (await notices()).map(({ type }) => type)
    expect(types).toEqual([...told, 'approval.requested'])
    expect(await store.runs.count({ char_id: 'ada' })).toBe(1)
    expect(await store.messages.count({})).toBe(0)
  })

  it('completes a quorum of two of three with the votes as its output', async () => {
    const run = await parked(await withTask(quorum()))
    expect(await approvalOf(run.approval_id)).toMatchObject({ prompt: 'Publish x?', needed: 2 })
    expect(await vote(run, 'ada')).toMatchObject({ state: 'pending' })
    expect(await vote(run, 'grace', 'reject')).toMatchObject({ state: 'pending' })
    expect(await vote(run, 'alan')).toMatchObject({ state: 'approved', follow_up_run_id: null })
    expect(await read(run.id)).toMatchObject({
      status: 'completed',
      output: {
        decision: 'approved',
        votes: [
          { by: 'ada', decision: 'approve' },
          { by: 'grace', decision: 'reject' },
          { by: 'alan', decision: 'approve' },
        ],
      },
    })
  })

  it('rejects a quorum as soon as it cannot be reached any more', async () => {
    const run = await parked(await withTask(quorum()))
    await vote(run, 'ada', 'reject')
    expect(await vote(run, 'grace', 'reject')).toMatchObject({ state: 'rejected' })
    expect(await read(run.id)).toMatchObject({ status: 'abandoned', reason: 'rejected' })
  })

  it('fails a human_approval task without a quorum, and one that cannot be reached', async () => {
    const subject = await withTask({ runtime: 'human_approval' })
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'quorum_missing' } })
    const unreachable = quorum({ approver_agent_ids: ['ada', 'absent'] })
    await world.ask('tasks.update', { ...subject, task: unreachable }, key)
    const other = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
    expect(other).toMatchObject({ status: 'failed', error: { code: 'approval_unreachable' } })
    expect(other.error?.message).toContain('"absent"')
  })

  it('takes a vote back until it is decided, and the same vote twice as one', async () => {
    const run = await parked(await withTask(quorum()))
    await vote(run, 'ada')
    const once = await store.approvals.get(run.approval_id ?? '')
    await vote(run, 'ada')
    expect(await store.approvals.get(run.approval_id ?? '')).toEqual(once)
    await vote(run, 'ada', 'reject')
    expect(await vote(run, 'grace')).toMatchObject({
      state: 'pending',
      votes: [
        { by: 'ada', decision: 'reject' },
        { by: 'grace', decision: 'approve' },
      ],
    })
  })

  itOnEach('makes one decision and one follow-up of ten deciding votes at once', async () => {
    const run = await parked(await withTask({ approval_gate: gate }))
    const worlds = [world, open()]
    const input = { approval_id: run.approval_id, decision: 'approve' }
    const cast = (one: World): Promise<unknown> =>
      one.ask('approvals.decide', input, key).catch((cause: { code: string }) => cause.code)
    const answers = await Promise.all(Array.from({ length: 5 }, () => worlds.map(cast)).flat())
    expect(answers.filter((answer) => answer === 'approval_decided')).toHaveLength(9)
    expect(await store.runs.count({ char_id: 'ada' })).toBe(2)
  })

  itOnEach('lets approvals and rejections race, and one of them wins for good', async () => {
    const run = await parked(await withTask(quorum({ min_approvals: 2 })))
    const cast = (as: string, decision: string) =>
      vote(run, as, decision).catch((cause: { code: string }) => cause.code)
    await Promise.all([
      cast('ada', 'approve'),
      cast('grace', 'reject'),
      cast('alan', 'approve'),
      cast('ada', 'reject'),
      cast('grace', 'approve'),
      cast('alan', 'reject'),
    ])
    const { state, votes } = await approvalOf(run.approval_id)
    const { status, output } = await read(run.id)
    const agreed = votes.filter(({ decision }) => decision === 'approve').length
    expect(state).toBe(agreed >= 2 ? 'approved' : 'rejected')
    expect(status).toBe(agreed >= 2 ? 'completed' : 'abandoned')
    expect(output).toEqual(agreed >= 2 ? { decision: 'approved', votes } : null)
  })

  itOnEach('counts the votes of twenty approvers that vote at once', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `voter-${i}`)
    for (const id of ids) {
      await world.ask('characters.create', { character: { id, name: id } }, key)
    }
    const run = await parked(await withTask(quorum({ min_approvals: 20, approver_agent_ids: ids })))
    await Promise.all(ids.map((id) => vote(run, id)))
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'approved' })
  })

  itOnEach('expires without a decision in time, once, for any number of processes', async () => {
    const run = await parked(await withTask({ approval_gate: { ...gate, timeout_seconds: 60 } }))
    await clock.advance(59_000)
    expect(await approvalsDue(world.ports)).toBe(0)
    await clock.advance(2_000)
    const looked = await Promise.all([world, open(), open()].map((one) => approvalsDue(one.ports)))
    expect(looked.reduce((sum, changed) => sum + changed)).toBe(1)
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'expired' })
    expect(await read(run.id)).toMatchObject({ status: 'abandoned', reason: 'expired' })
    expect((await notices()).map(({ type }) => type)).toEqual([
      'approval.expired',
      'approval.requested',
    ])
  })

  it('refuses a vote whose time is up, even before the next look', async () => {
    const run = await parked(await withTask({ approval_gate: { ...gate, timeout_seconds: 60 } }))
    await clock.advance(60_000)
    const input = { approval_id: run.approval_id, decision: 'approve' }
    expect(await world.refusal('approvals.decide', input, key)).toMatchObject({
      code: 'approval_decided',
      detail: 'The approval is expired already.',
    })
    expect(await read(run.id)).toMatchObject({ status: 'abandoned', reason: 'expired' })
  })

  it('asks the fallback agent of a quorum, which decides alone within a day', async () => {
    const run = await parked(
      await withTask(quorum({ timeout_seconds: 60, fallback_agent_id: 'edsger' })),
    )
    await vote(run, 'ada', 'reject')
    const input = { approval_id: run.approval_id, decision: 'approve', as_char_id: 'edsger' }
    expect(await world.refusal('approvals.decide', input, key)).toMatchObject({ code: 'forbidden' })
    await clock.advance(60_000)
    await approvalsDue(world.ports)
    const asked = await approvalOf(run.approval_id)
    expect(asked).toMatchObject({ state: 'pending', fallback_agent_id: 'edsger' })
    expect(Date.parse(asked.expires_at ?? '')).toBe(clock.now().getTime() + day)
    const late = { ...input, as_char_id: 'grace' }
    expect(await world.refusal('approvals.decide', late, key)).toMatchObject({ code: 'forbidden' })
    expect(await vote(run, 'edsger')).toMatchObject({ state: 'approved' })
    expect(await read(run.id)).toMatchObject({ output: { decision: 'approved' } })
  })

  it.each([
    ['is silent', 'edsger', day],
    ['does not exist', 'absent', 0],
  ])('expires a quorum whose fallback agent %s', async (_, fallback_agent_id, silent) => {
    const run = await parked(await withTask(quorum({ timeout_seconds: 60, fallback_agent_id })))
    await clock.advance(60_000)
    await approvalsDue(world.ports)
    expect((await read(run.id)).status).toBe(silent ? 'waiting_approval' : 'abandoned')
    await clock.advance(silent)
    await approvalsDue(world.ports)
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'expired' })
    expect(await read(run.id)).toMatchObject({ status: 'abandoned', reason: 'expired' })
  })

  it('does not ask another account that has taken the id of the fallback agent', async () => {
    const run = await parked(
      await withTask(quorum({ timeout_seconds: 60, fallback_agent_id: 'edsger' })),
    )
    await world.ask('characters.delete', { char_id: 'edsger' }, key)
    const stranger = await world.account()
    const character = { id: 'edsger', name: 'Another' }
    await world.ask('characters.create', { character }, stranger.key)
    await clock.advance(60_000)
    await approvalsDue(world.ports)
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'expired' })
    const seen = await world.ask<{ items: [] }>('approvals.list', {}, stranger.key)
    expect(seen.items).toEqual([])
  })

  it('cancels the approval with its run, its task and its agent', async () => {
    const subject = await withTask({ approval_gate: gate })
    const runs = [await parked(subject), await parked(subject)]
    await world.ask('runs.cancel', { run_id: runs[0]?.id }, key)
    await world.ask('tasks.delete', subject, key)
    const again = await withTask({ approval_gate: gate })
    runs.push(await parked(again))
    await world.ask('characters.delete', { char_id: 'ada' }, key)
    for (const run of runs) {
      expect(await read(run.id)).toMatchObject({ status: 'cancelled' })
      expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'cancelled' })
    }
    const pending = await world.ask<{ items: [] }>('approvals.list', { state: 'pending' }, key)
    expect(pending.items).toEqual([])
  })

  itOnEach(
    'finds within a day what a process left that died while it deleted the task',
    async () => {
      const run = await parked(await withTask({ approval_gate: gate }))
      await store.tasks.delete({ id: 'ada/t' })
      await clock.advance(day)
      expect(await approvalsDue(world.ports)).toBe(1)
      expect(await read(run.id)).toMatchObject({ status: 'cancelled', reason: 'task_deleted' })
      expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'cancelled' })
    },
  )

  it('ends an approval whose approvers have gone, and leaves others waiting', async () => {
    const both = { ...gate, approvers: ['grace', 'alan'], min_approvals: 2 }
    const run = await parked(await withTask({ approval_gate: both }))
    await clock.advance(day)
    await approvalsDue(world.ports)
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'pending' })
    await world.ask('characters.delete', { char_id: 'alan' }, key)
    await clock.advance(day)
    await approvalsDue(world.ports)
    expect(await approvalOf(run.approval_id)).toMatchObject({ state: 'expired' })
  })

  itOnEach('loses nothing when a process dies before it has parked the run, or after', async () => {
    await worker.stop()
    const subject = await withTask({ approval_gate: gate })
    const { id } = await world.ask<Run>('tasks.run', { ...subject, input: 'x' }, key)
    const dying = open()
    let hasDied = false
    const commit = (): Promise<void> => {
      hasDied = true
      return Promise.reject(new Error('the process is gone'))
    }
    const one = runner({ ...dying.ports, store: { ...store, commit } }, 1)
    one.wake(1)
    await until(() => hasDied)
    await one.stop()
    expect(await store.approvals.count({})).toBe(0)
    await clock.advance(31_000)
    world = open()
    worker = started(world)
    await worker.tick(clock.now())
    await stateIs(id, 'waiting_approval')
    expect(await store.approvals.count({})).toBe(1)
    const cut = open()
    const input = { approval_id: (await read(id)).approval_id, decision: 'approve' }
    const deaf = openWorld({ ...store, commit }, { clock })
    await deaf.refusal('approvals.decide', input, key)
    expect(await read(id)).toMatchObject({ status: 'waiting_approval' })
    await cut.ask('approvals.decide', input, key)
    // No worker was woken: the follow-up is found all the same.
    await worker.tick(clock.now())
    await until(async () => (await store.runs.count({ status: 'completed' })) === 2)
  })

  it('keeps what an agent says from another account whose agent took its id', async () => {
    const approvers = ['grace']
    const run = await parked(await withTask({ approval_gate: { ...gate, approvers } }))
    await world.ask('characters.delete', { char_id: 'grace' }, key)
    const stranger = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'grace', name: 'G' } }, stranger)
    const input = { approval_id: run.approval_id, decision: 'approve' }
    expect(await world.refusal('approvals.decide', input, stranger)).toMatchObject({
      code: 'forbidden',
    })
    const seen = await world.ask<{ items: [] }>('approvals.list', {}, stranger)
    expect(seen.items).toEqual([])
  })

  /** The agent "linus" of another account; its key. */
  const stranger = async (): Promise<string> => {
    const other = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'linus', name: 'L' } }, other)
    return other
  }
  const befriend = async (other: string, permissions: string[]): Promise<void> => {
    // What linus may do at ada is what decides; the way back is not asked.
    const ask = { char_id: 'linus', friend_id: 'ada', permissions, grants: [] }
    await world.ask('friends.request', ask, other)
    await world.ask('friends.accept', { char_id: 'ada', friend_id: 'linus' }, key)
  }

  it('asks an agent of another account where it is a friend that may approve', async () => {
    const other = await stranger()
    const subject = await withTask({ approval_gate: { ...gate, approvers: ['linus'] } })
    await befriend(other, ['approve'])
    const run = await parked(subject)
    const inbox = await world.ask<{ items: object[] }>('account.inbox', {}, other)
    expect(inbox.items).toMatchObject([{ approval_id: run.approval_id }])
    const list = await world.ask<{ items: Approval[] }>('approvals.list', {}, other)
    expect(list.items.map(({ id }) => id)).toEqual([run.approval_id])
    const input = { approval_id: run.approval_id, decision: 'approve' }
    expect(await world.ask('approvals.decide', input, other)).toMatchObject({ state: 'approved' })
  })

  it.each(['an approver', 'the fallback agent'])(
    'gives the account that asks no vote by taking the id of %s of another account',
    async (role) => {
      const other = await stranger()
      await befriend(other, ['approve'])
      const asked =
        role === 'an approver'
          ? { approval_gate: { ...gate, approvers: ['linus'] } }
          : quorum({ timeout_seconds: 60, fallback_agent_id: 'linus' })
      const { approval_id } = await parked(await withTask(asked))
      await clock.advance(60_000)
      await approvalsDue(world.ports)
      const list = (input: object, credential: string) =>
        world.ask<{ items: object[] }>('approvals.list', input, credential)
      expect((await list({}, other)).items).toHaveLength(1)
      await world.ask('characters.delete', { char_id: 'linus' }, other)
      await world.ask('characters.create', { character: { id: 'linus', name: 'Ours' } }, key)
      const scope = { name: 'k', scope_char_id: 'linus' }
      const scoped = (await world.ask<{ key: string }>('api_keys.create', scope, key)).key
      const ballot = { approval_id, decision: 'approve' }
      for (const [op, input, credential] of [
        ['approvals.decide', { ...ballot, as_char_id: 'linus' }, key],
        ['approvals.decide', ballot, key],
        ['approvals.decide', ballot, scoped],
        ['approvals.get', { approval_id }, scoped],
      ] as const) {
        expect(await world.refusal(op, input, credential)).toMatchObject({ code: 'forbidden' })
      }
      expect((await list({ as_char_id: 'linus' }, key)).items).toEqual([])
      expect((await list({}, scoped)).items).toEqual([])
      expect(await approvalOf(approval_id)).toMatchObject({ state: 'pending', votes: [] })
    },
  )

  it.each([
    ['is no friend', undefined],
    ['is asked to be one', 'pending'],
    ['is a friend that may not approve', 'accepted'],
    ['lets the task’s agent approve, and not the other way round', 'turned'],
  ])('does not ask an agent of another account that %s', async (_, friendship) => {
    const other = await stranger()
    const pending = { char_id: 'linus', friend_id: 'ada', permissions: ['approve'], grants: [] }
    if (friendship === 'pending') await world.ask('friends.request', pending, other)
    if (friendship === 'accepted') await befriend(other, ['message'])
    if (friendship === 'turned') {
      const ask = { char_id: 'ada', friend_id: 'linus', permissions: ['approve'], grants: [] }
      await world.ask('friends.request', ask, key)
      await world.ask('friends.accept', { char_id: 'linus', friend_id: 'ada' }, other)
    }
    const subject = await withTask({ approval_gate: { ...gate, approvers: ['linus'] } })
    const run = await world.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
    expect(run).toMatchObject({ status: 'failed', error: { code: 'approval_unreachable' } })
    expect(run.error?.message).toContain('"linus"')
    const both = { approval_gate: { ...gate, approvers: ['linus', 'grace'] } }
    await world.ask('tasks.update', { ...subject, task: both }, key)
    const second = await parked(subject)
    expect(await approvalOf(second.approval_id)).toMatchObject({ approvers: ['grace'] })
    const seen = await world.ask<{ items: [] }>('approvals.list', {}, other)
    expect(seen.items).toEqual([])
    const input = { approval_id: second.approval_id, decision: 'approve' }
    for (const [op, more] of [
      ['approvals.get', {}],
      ['approvals.decide', input],
    ] as const) {
      const refused = await world.refusal(op, { approval_id: second.approval_id, ...more }, other)
      expect(refused).toMatchObject({ code: 'forbidden' })
    }
  })

  it.each([
    ['asks', ['approve'], false, 'pending'],
    ['does not ask', ['message'], false, 'expired'],
    ['does not ask any more', ['approve'], true, 'expired'],
  ])(
    '%s the fallback agent of another account by what it may do',
    async (_, permissions, isEnded, state) => {
      const other = await stranger()
      await befriend(other, permissions)
      const terms = { timeout_seconds: 60, fallback_agent_id: 'linus' }
      const run = await parked(await withTask(quorum(terms)))
      const end = { char_id: 'ada', friend_id: 'linus' }
      if (isEnded) await world.ask('friends.remove', end, key)
      await clock.advance(60_000)
      await approvalsDue(world.ports)
      expect(await approvalOf(run.approval_id)).toMatchObject({ state })
      const seen = await world.ask<{ items: object[] }>('approvals.list', {}, other)
      expect(seen.items).toHaveLength(state === 'pending' ? 1 : 0)
    },
  )

  it('shows the pause among the events of the run', async () => {
    const run = await parked(await withTask({ approval_gate: gate }))
    await vote(run, 'ada')
    const { items } = await world.ask<{ items: { type: string; data: object }[] }>(
      'runs.events',
      { run_id: run.id },
      key,
    )
    expect(items.map(({ type }) => type)).toEqual([
      'run.queued',
      'run.started',
      'run.waiting_approval',
      'run.completed',
    ])
    expect(items[2]?.data).toEqual({ approval_id: run.approval_id })
    expect(items[3]?.data).toMatchObject({ reason: 'resumed' })
  })

  it('sweeps notices after ninety days', async () => {
    await parked(await withTask({ approval_gate: gate }))
    await clock.advance(90 * day - 1000)
    await upkeep(world.ports, clock.now())
    expect(await notices()).toHaveLength(1)
    await clock.advance(2000)
    await upkeep(world.ports, clock.now())
    expect(await notices()).toEqual([])
  })

  it('sweeps decided approvals with their seats after ninety days, and no open one', async () => {
    const subject = await withTask({ approval_gate: gate })
    const runs: Run[] = []
    for (let i = 0; i < 22; i++) runs.push(await parked(subject))
    const open = runs.pop()
    for (const run of runs) await vote(run, 'ada', 'reject')
    await clock.advance(90 * day - 1000)
    await upkeep(world.ports, clock.now())
    expect(await store.approvals.count({})).toBe(22)
    await clock.advance(2000)
    await upkeep(world.ports, clock.now())
    const left = await store.approvals.find({})
    expect(left.map(({ id }) => id)).toEqual([open?.approval_id])
    const seats = await store.approval_seats.find({})
    expect(new Set(seats.map(({ approval_id }) => approval_id))).toEqual(
      new Set([open?.approval_id]),
    )
    expect(seats).toHaveLength(2)
  })

  itOnEach('counts the copies of an input until they go', async () => {
    const used = async (): Promise<number> => {
      const { quotas } = await world.ask<{ quotas: { name: string; used: number }[] }>(
        'account.get',
        {},
        key,
      )
      return quotas.find(({ name }) => name === 'stored_bytes')?.used ?? -1
    }
    const input = 'x'.repeat(10_000)
    const subject = await withTask({ approval_gate: gate, prompt: 'Hi' })
    const before = await used()
    const { id } = await world.ask<Run>('tasks.run', { ...subject, input }, key)
    await stateIs(id, 'waiting_approval')
    // The run's own, and the one that the approvers read.
    await until(async () => (await used()) - before > 20_000)
    const decided = await vote(await read(id), 'ada')
    await stateIs(decided.follow_up_run_id ?? '', 'completed')
    await until(async () => (await used()) - before > 30_000)
    expect((await used()) - before).toBeLessThan(33_000)
    await clock.advance(91 * day)
    const worlds = [world, open()]
    // What each has swept it writes with its next round.
    for (let i = 0; i < 2; i++) {
      await Promise.all(worlds.map((one) => upkeep(one.ports, clock.now())))
    }
    expect((await used()) - before).toBeLessThan(23_000)
    expect((await used()) - before).toBeGreaterThan(20_000)
  })

  it('lists a seat for everyone who may see it, in the state of the approval', async () => {
    const run = await parked(await withTask(quorum()))
    await vote(run, 'ada')
    await vote(run, 'grace')
    const seats = await store.approval_seats.find({ approval_id: run.approval_id })
    const stored = (await store.approvals.get(run.approval_id ?? '')) as StoredApproval
    const owner = stored.owner_id
    const viewers = [owner, `${owner}/ada`, `${owner}/alan`, `${owner}/grace`]
    const states = Object.fromEntries(seats.map(({ viewer, state }) => [viewer, state]))
    expect(states).toEqual(Object.fromEntries(viewers.map((one) => [one, 'approved'])))
    expect(seats).toHaveLength(viewers.length)
  })
})

describe.each(stores())('approvals of two processes on $name', (kind) => {
  itOnEach('tell a caller who waits that its run was parked by the other', async () => {
    const place = await kind.place()
    const [near, far] = [await place.open(), await place.open()]
    const [asking, parking] = [openWorld(near), openWorld(far)]
    const unwatch = watchOthers(asking.ports)
    const one = runner(parking.ports, 1)
    try {
      const { key } = await asking.account()
      const task = { task_id: 't', name: 'T', runtime: 'template', approval_gate: gate }
      const character = { id: 'ada', name: 'Ada', heart: { tasks: [task] } }
      await asking.ask('characters.create', { character }, key)
      const subject = { char_id: 'ada', task_id: 't' }
      const waited = asking.ask<Run>('tasks.run', { ...subject, wait_seconds: 60 }, key)
      await until(async () => (await far.runs.count({})) === 1)
      one.wake(1)
      expect(await waited).toMatchObject({ status: 'waiting_approval' })
    } finally {
      unwatch()
      await one.stop()
      await near.close()
      await far.close()
      await place.remove()
    }
  })
})
