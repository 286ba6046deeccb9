import { afterEach, beforeEach, describe, expect, test as itOnEach } from 'vitest'
import type { Store } from '#src/ports/store.ts'
import { startWork, type Work } from '#src/work/work.ts'
import type { Shown } from '#tests/protocol/a2a-harness.ts'
import { onFirstStore } from '#tests/support/suite/first-store.ts'
import { stores } from '#tests/support/stores.ts'
import { echo, openAgents, saying, talker, taskIn, type AgentsWorld } from './harness.ts'

describe.each(stores())('a task that waits for an approval, on $name', (kind) => {
  const { it } = onFirstStore(kind)
  let agents: AgentsWorld
  let store: Store
  let work: Work
  let owner: string
  let sender: string

  beforeEach(async () => {
    store = await kind.open()
    agents = openAgents(store)
    work = startWork(agents.ports, ['runner'], 2)
    owner = (await agents.account()).key
    sender = (await agents.account()).key
    const approval_gate = { requires_approval: true, approval_prompt: 'Say it?' }
    const character = talker('ada', [{ ...echo, approval_gate }])
    await agents.ask('characters.create', { character }, owner)
  })
  afterEach(async () => {
    await agents.doors.close()
    await work.stop()
    await store.close()
  })

  const asked = async (key: string): Promise<Shown> =>
    taskIn(await agents.rpc('ada', 'SendMessage', saying('Hello'), { key }))
  const decide = (task: Shown, data: object, key: string, more: object = {}) =>
    agents.rpc('ada', 'SendMessage', saying([{ data }], { taskId: task['id'], ...more }), { key })
  const read = async (task: Shown, key: string) =>
    (await agents.rpc('ada', 'GetTask', { id: task['id'] }, { key })).result

  it('is decided by a message of its account, and goes on for its sender', async () => {
    const task = await asked(sender)
    expect(task['status']).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'The task waits for an approval.' }] },
    })
    const seen = await read(task, owner)
    expect(seen?.['status']?.['message']?.['parts']).toMatchObject([
      { data: { prompt: 'Say it?', state: 'pending', untrusted: true, source: { kind: 'chat' } } },
      { text: expect.stringMatching(/untrusted: what is asked\nSay it\?\n/) },
      { text: expect.stringContaining('decision') },
    ])
    const decision = saying([{ data: { decision: 'approve' } }], { taskId: task['id'] })
    const send = async () =>
      taskIn(await agents.rpc('ada', 'SendMessage', decision, { key: owner }))
    const done = await send()
    expect(done).toMatchObject({
      id: task['id'],
      contextId: task['contextId'],
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'Heard: Hello' }] }],
    })
    expect(await read(task, sender)).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'Heard: Hello' }] }],
    })
    expect(await send()).toMatchObject({ id: task['id'], artifacts: done['artifacts'] })
    const late = await decide(task, { decision: 'reject' }, owner)
    expect(late.error).toMatchObject({ code: -32004 })
  })

  it('is decided by a message whose id has decided one of another agent', async () => {
    const approval_gate = { requires_approval: true }
    const character = talker('eve', [{ ...echo, approval_gate }])
    await agents.ask('characters.create', { character }, owner)
    const more = { messageId: 'the-same-decision-for-both' }
    for (const agent of ['ada', 'eve', 'ada']) {
      const sent = saying('Hello', { messageId: `hello-to-${agent}-the-agent` })
      const { id } = taskIn(await agents.rpc(agent, 'SendMessage', sent, { key: owner }))
      const decision = saying([{ data: { decision: 'approve' } }], { ...more, taskId: id })
      const answer = await agents.rpc(agent, 'SendMessage', decision, { key: owner })
      expect(answer.error).toBeUndefined()
      expect(taskIn(answer)).toMatchObject({ id, status: { state: 'TASK_STATE_COMPLETED' } })
    }
  })

  it('is not decided by its sender, who may not see what is asked', async () => {
    const task = await asked(sender)
    const { error } = await decide(task, { decision: 'approve' }, sender)
    expect(error).toMatchObject({ code: 403, data: { code: 'forbidden' } })
    expect(JSON.stringify(await read(task, sender))).not.toContain('Say it?')
  })

  it('is rejected by a message, and has ended', async () => {
    const task = await asked(owner)
    const gone = taskIn(await decide(task, { decision: 'reject' }, owner))
    expect(gone['status']).toMatchObject({ state: 'TASK_STATE_CANCELED' })
  })

  it('is told what a decision is, and in which context it stands', async () => {
    const task = await asked(owner)
    expect((await decide(task, { yes: true }, owner)).error).toMatchObject({ code: -32602 })
    const elsewhere = await decide(task, { decision: 'approve' }, owner, { contextId: 'other' })
    expect(elsewhere.error).toMatchObject({
      code: -32602,
      data: { errors: [{ pointer: '/message/contextId' }] },
    })
  })

  itOnEach('is decided once by two at once', async () => {
    const task = await asked(owner)
    const both = await Promise.all(
      ['approve', 'reject'].map((decision) => decide(task, { decision }, owner)),
    )
    expect(both.filter(({ error }) => error === undefined)).toHaveLength(1)
  })

  it('goes on in a stream after it was decided', async () => {
    const task = await asked(sender)
    const events = agents.stream('ada', 'SubscribeToTask', { id: task['id'] }, { key: sender })
    await events.next()
    const rest = Array.fromAsync(events)
    await decide(task, { decision: 'approve' }, owner)
    const last = (await rest).at(-1)?.result?.['statusUpdate']
    expect(last).toMatchObject({ taskId: task['id'], status: { state: 'TASK_STATE_COMPLETED' } })
  })
})
