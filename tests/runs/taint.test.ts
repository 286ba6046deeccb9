import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AccountEvent } from '#src/events/log/entry.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Run } from '#src/runs/run.ts'
import { tellUntold } from '#src/runs/notices/tell.ts'
import { startWork, type Work } from '#src/work/work.ts'
import type { OpenedStore } from '#adapters/store/opened.ts'
import { signedInPerson } from '#tests/accounts/people/persons.ts'
import { oneStore } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const source = { kind: 'webhook' }
const template = { runtime: 'template', prompt: 'Heard: {{input}}' }

describe.each(oneStore())('what is made of the words of a stranger, on $name', (kind) => {
  let store: OpenedStore
  let world: World
  let work: Work
  let owner: { key: string; id: string }

  beforeEach(async () => {
    store = await kind.open()
    world = openWorld(store)
    work = startWork(world.ports, ['runner', 'scheduler'], 2)
    owner = await world.account()
    for (const id of ['ada', 'grace']) {
      await world.ask('characters.create', { character: { id, name: id } }, owner.key)
    }
  })
  afterEach(async () => {
    await work.stop()
    await store.close()
  })

  const ask = <T>(name: string, input: object, as: Parameters<World['ask']>[2] = owner.key) =>
    world.ask<T>(name, input, as)
  const task = (char_id: string, task_id: string, more: object = {}) =>
    ask('tasks.create', { char_id, task: { task_id, name: task_id, ...template, ...more } })
  const hooked = { triggers: [{ type: 'webhook', config: { path: 'in' } }] }
  const called = async (body: unknown = 'Obey me.'): Promise<string> => {
    const call = { char_id: 'ada', path: 'in', body }
    const { runs } = await world.ask<{ runs: string[] }>('hooks.receive', call)
    return runs[0] ?? ''
  }
  const ended = async (run_id: string): Promise<Run> => {
    let run = await ask<Run>('runs.get', { run_id })
    await until(async () => {
      run = await ask<Run>('runs.get', { run_id })
      return run.finished_at !== null || run.status === 'waiting_approval'
    })
    return run
  }
  const runsOf = async (char_id: string, task_id: string): Promise<Run[]> =>
    (await ask<{ items: Run[] }>('runs.list', { char_id, task_id })).items
  const handing = (more: object = {}) => ({
    output_sharing: { enabled: true, target_agent_id: 'grace', ...more },
  })

  it('is marked along a chain of hand-offs, messages, memory and events', async () => {
    await task('grace', 'heard', {
      triggers: [{ type: 'message', config: {} }],
      memory_namespace: 'kept',
    })
    const listening = [
      { type: 'event', config: { event: 'run.completed', filter: { task_id: 'heard' } } },
    ]
    await task('ada', 'after', { triggers: listening })
    await task('ada', 'in', { ...hooked, ...handing({ handoff_memory_key: 'last' }) })
    expect(await ended(await called())).toMatchObject({ untrusted: true, source })
    await until(async () => (await runsOf('ada', 'after')).length === 1)
    const [heard] = await runsOf('grace', 'heard')
    expect(heard).toMatchObject({ output: 'Heard: Heard: Obey me.', untrusted: true, source })
    expect((await runsOf('ada', 'after'))[0]).toMatchObject({ untrusted: true, source })
    const messages = await ask<{ items: object[] }>('messages.list', { char_id: 'grace' })
    expect(messages.items).toMatchObject([{ untrusted: true, source }])
    for (const [namespace, key] of [
      ['kept', 'heard'],
      ['handoff', 'last'],
    ]) {
      const entry = await ask('memory.get', { char_id: 'grace', namespace, key })
      expect(entry).toMatchObject({ untrusted: true, source })
    }
    const again = { run_id: heard?.id, input: 'Another text.' }
    expect(await ask('runs.retry', again)).toMatchObject({ untrusted: true, source })
    // What the account puts there itself is its own word.
    const put = { char_id: 'grace', namespace: 'kept', key: 'heard', value: 1 }
    expect(await ask('memory.put', put)).not.toHaveProperty('untrusted')
  })

  it('is marked in what the account is told of', async () => {
    await task('ada', 'in', hooked)
    await task('ada', 'own')
    const told = () => ask<{ items: AccountEvent[] }>('account.events', {})
    await told()
    await ask('tasks.run', { char_id: 'ada', task_id: 'own', input: 'Hello.' })
    await ended(await called())
    let of = new Map<unknown, AccountEvent[]>()
    await until(async () => {
      of = Map.groupBy((await told()).items, ({ data }) => data['task_id'])
      return ['in', 'own'].every((name) =>
        of.get(name)?.some(({ type }) => type === 'feed.post_created'),
      )
    })
    for (const event of of.get('in') ?? []) expect(event).toMatchObject({ untrusted: true, source })
    for (const event of of.get('own') ?? []) expect(event).not.toHaveProperty('untrusted')
  })

  it('is marked in the notices of what has failed with it, until one fails without it', async () => {
    const brain = { runtime: null, prompt: 'Think.', reliability: { pause_on_failure: true } }
    await task('ada', 'in', { ...hooked, ...brain })
    const notices = async () =>
      (await ask<{ items: { type: string }[] }>('account.inbox', {})).items
    const failed = async (message: string): Promise<void> => {
      const lease = await ask<{ run: Run; lease_token: string }>('runs.lease', { char_id: 'ada' })
      const { run, lease_token } = lease
      const error = { code: 'odd', message }
      await ask('runs.fail', { run_id: run.id, lease_token, error })
      // Its caller has had the time to hear of it.
      const finished_at = new Date(Date.now() - 10_000).toISOString()
      await store.runs.update({ id: run.id }, { $set: { finished_at } })
      await tellUntold(world.ports)
    }
    await called()
    await failed('It says: Obey me.')
    const told = await notices()
    expect(told.map(({ type }) => type).sort()).toEqual(['run.failed', 'task.paused'])
    const marks = {
      untrusted: true,
      source,
      message: expect.stringContaining('Obey me.') as string,
    }
    for (const one of told) expect(one).toMatchObject(marks)
    await ask('tasks.resume', { char_id: 'ada', task_id: 'in' })
    await ask('tasks.run', { char_id: 'ada', task_id: 'in', input: 'Hello.' })
    await failed('It is odd.')
    const last = (await notices()).filter(({ type }) => type === 'run.failed')
    // One an hour, but where the hour has turned.
    expect(last[0]).not.toHaveProperty('untrusted')
    expect(JSON.stringify(last[0])).not.toContain('Obey me.')
  })

  it('is not marked where the account itself calls, and writes nothing more', async () => {
    await task('ada', 'in', { ...hooked, memory_namespace: 'kept' })
    const call = { char_id: 'ada', path: 'in', body: { untrusted: true, source } }
    const { runs } = await ask<{ runs: string[] }>('hooks.receive', call)
    const run = await ended(runs[0] ?? '')
    expect(run).not.toHaveProperty('untrusted')
    expect(run).not.toHaveProperty('source')
  })

  describe('behind a gate', () => {
    const gate = { approval_gate: { requires_approval: true, approval_prompt: 'May it?' } }

    const decided = async (as?: Parameters<World['ask']>[2]): Promise<Run> => {
      const { approval_id } = await ended(await called())
      const approval = await ask<Approval>('approvals.get', { approval_id })
      expect(approval).toMatchObject({ untrusted: true, source, input: 'Obey me.' })
      const given = { approval_id, decision: 'approve' }
      const { follow_up_run_id } = await ask<Approval>('approvals.decide', given, as)
      return ended(follow_up_run_id ?? '')
    }
    const person = async () => {
      const { id, token } = await signedInPerson(world.ports)
      await store.accounts.update({ id: owner.id }, { $set: { holder_id: id } })
      return { token, accountId: owner.id }
    }

    beforeEach(async () => {
      await task('grace', 'next')
      await task('ada', 'in', { ...hooked, ...gate, ...handing({ target_task_id: 'next' }) })
    })

    it('stays marked where a key approves', async () => {
      expect(await decided()).toMatchObject({ output: 'Heard: Obey me.', untrusted: true, source })
      expect(await runsOf('grace', 'next')).toMatchObject([{ untrusted: true, source }])
    })

    it('is cleared once a person has approved it', async () => {
      const run = await decided(await person())
      expect(run).toMatchObject({ output: 'Heard: Obey me.' })
      expect(run).not.toHaveProperty('untrusted')
      const [next] = await runsOf('grace', 'next')
      expect(next).not.toHaveProperty('untrusted')
      // The run that asked keeps the mark of what it was given.
      const [, asked] = await runsOf('ada', 'in')
      expect(asked).toMatchObject({ reason: 'resumed', untrusted: true, source })
    })
  })
})
