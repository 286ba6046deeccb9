import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { chatOperations } from '#src/catalog/chat.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { endedStatuses } from '#src/runs/run.ts'
import { startWork, type Work } from '#src/work/work.ts'
import { chatsOf, echo, makeTalker, saying, talker } from '#tests/runs/chat/chats.ts'
import { auditBytes } from './graves.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

const template = { name: 'Task', runtime: 'template' }
const webhook = (path: string) => [{ type: 'webhook', config: { path } }]

describe.each(stores())('what goes stops counting on $name', (kind) => {
  let world: World
  let work: Work
  let owner: { key: string; id: string }

  beforeEach(async () => {
    world = openWorld(await kind.open())
    work = startWork(world.ports, ['runner', 'scheduler'], 4)
    owner = await world.account()
  })
  afterEach(async () => {
    await work.stop()
    await world.ports.store.close()
  })

  const ask = <T = { id: string }>(name: string, input: object, key = owner.key) =>
    world.ask<T>(name, input, key)
  const own = async (accountId = owner.id) =>
    (await world.ports.quotas.usage({ accountId, claimed: false })).stored_bytes -
    (await auditBytes(world.ports.store, accountId))
  const received = (accountId = owner.id) => world.ports.quotas.received.of(accountId)
  const listed = async () =>
    (await ask<{ items: { id: string }[] }>('runs.list', { limit: 100 })).items
  const ended = async () => {
    const all = await world.ports.store.runs.find({ owner_id: owner.id })
    return all.length > 0 && all.every(({ status }) => endedStatuses.some((one) => one === status))
  }
  const deleteAll = async () => {
    for (const { id } of await listed()) await ask('runs.delete', { run_id: id })
    const posts = await world.ports.store.posts.find({ owner_id: owner.id })
    for (const { id, char_id } of posts) await ask('posts.delete', { char_id, post_id: id })
    expect(await world.ports.store.run_events.count({})).toBe(0)
    expect(await world.ports.store.chats.count({})).toBe(0)
  }

  test('of runs, no matter how or by whom they were started', async () => {
    const store = [{ type: 'local', name: 'a', enabled: true }]
    const tasks = [
      { ...template, task_id: 'says', prompt: 'Said: {{input}}', artifact_stores: store },
      { ...template, task_id: 'hooked', prompt: 'Hooked', triggers: webhook('in') },
      { ...template, task_id: 'heard', prompt: 'Heard', triggers: [{ type: 'message' }] },
      { ...template, task_id: 'acts', triggers: [{ type: 'action', config: { name: 'go' } }] },
      { task_id: 'thinks', name: 'Thinks', prompt: 'Think of {{input}}' },
      {
        ...template,
        task_id: 'hands-on',
        prompt: 'On: {{input}}',
        output_sharing: { enabled: true, target_agent_id: 'ada', target_task_id: 'says' },
      },
    ]
    await ask('characters.create', { character: { id: 'ada', name: 'Ada', heart: { tasks } } })
    const step = { ...template, task_id: 'step', prompt: 'Step: {{input}}' }
    const flow = { ...template, task_id: 'flows', runtime: 'workflow', workflow_entry: 'step' }
    await ask('characters.create', {
      character: { id: 'eve', name: 'Eve', heart: { tasks: [step, flow] } },
    })
    const before = await own()
    const input = 'x'.repeat(5000)
    await ask('tasks.run', { char_id: 'ada', task_id: 'says', input, variables: { a: 'b' } })
    await ask('tasks.run', { char_id: 'ada', task_id: 'hands-on', input })
    await ask('tasks.run', { char_id: 'eve', task_id: 'flows', input })
    await ask('actions.invoke', { char_id: 'ada', name: 'go', input })
    const { id } = await ask('tasks.run', { char_id: 'ada', task_id: 'thinks', input })
    await ask('runs.cancel', { run_id: id })
    await world.ask('hooks.receive', { char_id: 'ada', path: 'in', body: input })
    await until(ended)
    expect((await own()) - before).toBeGreaterThan(8 * 5000)
    expect(await received()).toBeGreaterThan(5000)
    await deleteAll()
    expect([await own(), await received()]).toEqual([before, 0])
  })

  test('of a run that went on after an approval, with the approval', async () => {
    const gate = { requires_approval: true, approval_prompt: 'May it?' }
    const task = { ...template, task_id: 'gated', prompt: 'Did {{input}}', approval_gate: gate }
    await ask('characters.create', {
      character: { id: 'ada', name: 'Ada', heart: { tasks: [task] } },
    })
    const before = await own()
    const run = await ask('tasks.run', {
      char_id: 'ada',
      task_id: 'gated',
      input: 'x'.repeat(3000),
    })
    await until(async () => (await world.ports.store.approvals.count({})) === 1)
    const [approval] = await world.ports.store.approvals.find({})
    const refusal = await world.refusal('runs.delete', { run_id: run.id }, owner.key)
    expect(refusal.code).toBe('run_under_way')
    await ask('approvals.decide', {
      approval_id: approval?.id,
      decision: 'approve',
      as_char_id: 'ada',
    })
    await until(ended)
    expect((await listed()).length).toBe(2)
    await deleteAll()
    expect(await world.ports.store.approvals.count({})).toBe(0)
    expect(await world.ports.store.approval_seats.count({})).toBe(0)
    expect(await own()).toBe(before)
  })

  test('of the first run of a chain only once nothing of it goes on', async () => {
    const to = { enabled: true, target_agent_id: 'ada', target_task_id: 'thinks' }
    const tasks = [
      { ...template, task_id: 'says', prompt: 'Said', output_sharing: to },
      { task_id: 'thinks', name: 'Thinks', prompt: 'Think of {{input}}' },
    ]
    await ask('characters.create', { character: { id: 'ada', name: 'Ada', heart: { tasks } } })
    const first = await ask('tasks.run', { char_id: 'ada', task_id: 'says' })
    const refusal = await world.refusal('runs.delete', { run_id: first.id }, owner.key)
    expect(refusal).toMatchObject({ code: 'run_under_way' })
    expect(refusal.hint).toContain(first.id)
    const later = (await listed()).find(({ id }) => id !== first.id)
    await ask('runs.cancel', { run_id: later?.id })
    await ask('runs.delete', { run_id: first.id })
    expect((await listed()).map(({ id }) => id)).toEqual([later?.id])
  })

  test('of chats, with the task of A2A', async () => {
    await makeTalker(world, owner.key, talker('ada', 'public', [echo]))
    const chats = chatsOf(world.core)
    const { id } = await chats.ask(chatOperations.send, saying('hello'))
    expect(await received()).toBeGreaterThan(sizeOf('hello'))
    await deleteAll()
    expect(await received()).toBe(0)
    const gone = await chats.refused(chatOperations.get, { char_id: 'ada', id })
    expect(gone.code).toBe('run_not_found')
  })

  test('of messages for the one account, and then for the other', async () => {
    const other = await world.account()
    await ask('characters.create', { character: { id: 'ada', name: 'Ada' } })
    await ask('characters.create', { character: { id: 'eve', name: 'Eve' } }, other.key)
    await ask('friends.request', { char_id: 'ada', friend_id: 'eve', permissions: ['message'] })
    await ask('friends.accept', { char_id: 'eve', friend_id: 'ada' }, other.key)
    const before = [await own(), await own(other.id)]
    const send = { char_id: 'ada', to: 'eve', body: 'x'.repeat(2000) }
    const { id } = await ask('messages.send', send)
    expect(await own()).toBeGreaterThan((before[0] ?? 0) + 2000)
    expect(await received(other.id)).toBeGreaterThan(2000)
    const texts = async (char_id: string, key: string) =>
      (await ask<{ items: object[] }>('messages.list', { char_id }, key)).items.length
    await ask('messages.delete', { char_id: 'eve', message_id: id }, other.key)
    expect([await texts('eve', other.key), await texts('ada', owner.key)]).toEqual([0, 1])
    expect(await received(other.id)).toBe(0)
    const twice = { char_id: 'eve', message_id: id }
    expect((await world.refusal('messages.delete', twice, other.key)).code).toBe(
      'message_not_found',
    )
    await ask('messages.delete', { char_id: 'ada', message_id: id })
    expect(await world.ports.store.messages.count({})).toBe(0)
    expect([await own(), await own(other.id)]).toEqual(before)
  })
})
