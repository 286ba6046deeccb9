import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OutboundAnswer, Sender } from '#src/ports/sender.ts'
import { OutboundFailure } from '#src/ports/sender.ts'
import type { Store } from '#src/ports/store.ts'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Run } from '#src/runs/run.ts'
import { runner, type Runner } from '#src/work/runner.ts'
import { stores } from '#tests/support/stores.ts'
import { until } from '#tests/support/until.ts'
import { openWorld, type World } from '#tests/support/world.ts'

/** A receiver that is down until the test says otherwise. */
function receiver() {
  const state = { isUp: false, calls: 0 }
  const sender: Sender = {
    send: () => {
      state.calls += 1
      if (!state.isUp) return Promise.reject(new OutboundFailure('unreachable', 'It is down.'))
      const headers = { 'content-type': 'text/plain' }
      return Promise.resolve({ status: 200, headers, body: 'sent' } as OutboundAnswer)
    },
    load: () => Promise.reject(new Error('only texts are sent here')),
    objection: () => undefined,
    close: () => Promise.resolve(),
  }
  return { state, sender }
}

describe.each(stores())('a retry on $name', (kind) => {
  let store: Store
  let world: World
  let worker: Runner
  let key: string
  let mail: ReturnType<typeof receiver>

  beforeEach(async () => {
    const opened = await kind.open()
    store = opened
    mail = receiver()
    world = openWorld(opened, { sender: mail.sender })
    worker = runner(world.ports, 2)
    world.ports.wake.connect('runs', (count) => worker.wake(count))
    key = (await world.account()).key
    await world.ask('characters.create', { character: { id: 'ada', name: 'Ada' } }, key)
  })
  afterEach(async () => {
    await worker.stop()
    await store.close()
  })

  const ask = <T = Run>(name: string, input: object): Promise<T> => world.ask<T>(name, input, key)
  const ended = async ({ id: run_id }: Pick<Run, 'id'>): Promise<Run> => {
    const read = (): Promise<Run> => ask('runs.get', { run_id })
    await until(async () => {
      const { finished_at, status } = await read()
      return finished_at !== null || status === 'waiting_approval'
    })
    return read()
  }
  const approve = ({ approval_id }: Run): Promise<Approval> =>
    ask<Approval>('approvals.decide', { approval_id, decision: 'approve' })

  /** A mail that was approved, and whose receiver was down. */
  const lost = async (): Promise<Run> => {
    const approval_gate = { requires_approval: true, approval_prompt: 'Send it?' }
    const at = { runtime: 'api', api_url: 'https://mail.example/', prompt: 'Hi', approval_gate }
    await ask('tasks.create', { char_id: 'ada', task: { task_id: 't', name: 'T', ...at } })
    const subject = { char_id: 'ada', task_id: 't', input: 'a mail' }
    const { follow_up_run_id } = await approve(await ended(await ask('tasks.run', subject)))
    return ended({ id: follow_up_run_id ?? '' })
  }

  it('sends an approved mail whose receiver was down, without asking again, and once', async () => {
    const run = await lost()
    expect(run).toMatchObject({ status: 'failed', error: { code: 'api_unreachable' } })
    mail.state.isUp = true
    const retry = await ended(await ask('runs.retry', { run_id: run.id }))
    expect(retry).toMatchObject({ status: 'completed', output: 'sent', retry_of: run.id })
    expect(retry.resumed_from).toBe(run.resumed_from)
    expect(mail.state.calls).toBe(2)
    // What was approved has been done: each of them asks again.
    for (const run_id of [retry.id, run.id]) {
      const again = await ended(await ask('runs.retry', { run_id }))
      expect(again).toMatchObject({ status: 'waiting_approval', resumed_from: null })
    }
    expect(mail.state.calls).toBe(2)
  })

  it('asks again for an approved mail with another text, or by a changed task', async () => {
    const run = await lost()
    mail.state.isUp = true
    const other = await ended(await ask('runs.retry', { run_id: run.id, input: 'another' }))
    expect(other).toMatchObject({ status: 'waiting_approval' })
    await ask('runs.cancel', { run_id: other.id })
    const task = { api_url: 'https://elsewhere.example/' }
    await ask('tasks.update', { char_id: 'ada', task_id: 't', task })
    const changed = await ended(await ask('runs.retry', { run_id: run.id }))
    expect(changed).toMatchObject({ status: 'waiting_approval' })
    expect(mail.state.calls).toBe(1)
  })

  it('does not retry what goes on after its approval', async () => {
    const run = await lost()
    await worker.stop()
    const again = await ask('runs.retry', { run_id: run.id })
    const refused = await world.refusal('runs.retry', { run_id: run.resumed_from }, key)
    expect(refused).toMatchObject({ code: 'run_under_way' })
    expect(refused.detail).toContain(again.id)
  })

  it('retries each run once, of two processes that retry all at once', async () => {
    const task = { task_id: 'u', name: 'U', runtime: 'template', prompt: 'Of {{name}}' }
    await ask('tasks.create', { char_id: 'ada', task })
    await worker.stop()
    for (let i = 0; i < 12; i++) await ask('tasks.run', { char_id: 'ada', task_id: 'u' })
    const other = openWorld(store, { sender: mail.sender })
    type All = { retries: { run_id: string }[] }
    const both = await Promise.all(
      [world, other].map((one) => one.ask<All>('runs.retry_all', { char_id: 'ada' }, key)),
    )
    const retried = both.flatMap(({ retries }) => retries.map(({ run_id }) => run_id))
    expect(new Set(retried).size).toBe(12)
    expect(retried).toHaveLength(12)
    expect(await store.runs.count({ char_id: 'ada', status: 'queued' })).toBe(12)
  })

  it('retries a run once, of many calls at once', async () => {
    const task = { task_id: 'u', name: 'U', runtime: 'template', prompt: 'Of {{name}}' }
    await ask('tasks.create', { char_id: 'ada', task })
    await worker.stop()
    const { id: run_id } = await ask('tasks.run', { char_id: 'ada', task_id: 'u' })
    const tries = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6].map(() => ask('runs.retry', { run_id })),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await store.runs.count({ char_id: 'ada', status: 'queued' })).toBe(1)
  })

  it('goes on where the quota of runs ends, and takes nothing that began since', async () => {
    const task = { task_id: 'u', name: 'U', runtime: 'template', prompt: 'Of {{name}}' }
    await ask('tasks.create', { char_id: 'ada', task })
    for (let i = 0; i < 4; i++) await ask('tasks.run', { char_id: 'ada', task_id: 'u' })
    type All = { run_ids: string[]; next_cursor: string | null }
    const first = await ask<All>('runs.retry_all', { char_id: 'ada', limit: 3 })
    expect(first.run_ids).toHaveLength(3)
    // The retries fail too, and are not retried by the rest of the call.
    await until(async () => (await store.runs.count({ char_id: 'ada', status: 'failed' })) === 7)
    const rest = { char_id: 'ada', limit: 3, cursor: first.next_cursor }
    const second = await ask<All>('runs.retry_all', rest)
    expect(second).toMatchObject({ next_cursor: null })
    expect(second.run_ids).toHaveLength(1)
  })
})
