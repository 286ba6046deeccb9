import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { Run } from '#src/runs/run.ts'
import { app, secrets, type Desk } from './desk.ts'
import { values } from './set-up.ts'
import { agreed } from './refunds.ts'
import { strange, textOf, type Shop } from './shop.ts'
import { tickets } from './steps.ts'

interface Delivery {
  type: string
  status: string
  event_id: string
}

/**
 * Whether no run goes on by itself. A run that loses its worker three times fails, as it should, so no run may be under
 * way at more than two kills.
 */
export async function isQuiet(desk: Desk): Promise<boolean> {
  const waits = ({ status, reason }: Run): boolean =>
    status === 'waiting_approval' || reason === 'task_paused'
  return (await desk.everyRun()).every((run) => run.finished_at !== null || waits(run))
}

/** Whether all that was to be sent has arrived, and no run goes on. */
export async function allDelivered(desk: Desk, { room }: Shop): Promise<boolean> {
  const { items } = await deliveries(desk)
  const runs = await desk.everyRun()
  const failed = runs.filter(({ status }) => status === 'failed')
  return (
    items.every(({ status }) => status === 'delivered') &&
    runs.every(({ finished_at }) => finished_at !== null) &&
    failed.every(({ id }) => room.idsOf(id).length > 0)
  )
}

const deliveries = (desk: Desk): Promise<{ items: Delivery[] }> =>
  desk.ask(`/api/agent-apps/${app}/deliveries?limit=100`)

/** Each customer has an answer, by one run, however often that run sent it. */
export async function answeredOnce(desk: Desk, { helpdesk }: Shop): Promise<void> {
  const sent = await desk.runs('frontdesk', 'send-reply')
  for (const number of tickets) {
    const ids = helpdesk.idsOf(number)
    expect(ids, number).toHaveLength(1)
    const run = sent.find(({ id }) => id === ids[0])
    expect(run).toMatchObject({ status: 'completed' })
    const bodies = helpdesk.taken.filter(({ id }) => id === ids[0]).map(({ body }) => body)
    expect(new Set(bodies).size, 'a repeat is the same').toBe(1)
  }
  const token = `Bearer ${values.frontdesk.HELPDESK_TOKEN}`
  expect(helpdesk.taken.every(({ authorization }) => authorization === token)).toBe(true)
  expect(new Set(helpdesk.taken.map(({ id }) => id)).size).toBe(tickets.length)
}

/** Only what the person approved was paid, as they changed it, and by one run. */
export async function paidOnce(desk: Desk, { payments }: Shop): Promise<void> {
  const ids = new Set(payments.taken.map(({ id }) => id))
  expect(ids.size).toBe(1)
  expect(payments.idsOf(agreed)).toEqual([...ids])
  expect(payments.taken[0]?.authorization).toBe(`Bearer ${values.billing.SHOP_API_KEY}`)
  const asked = await desk.approvals()
  expect(asked.map(({ state }) => state)).toEqual(['approved', 'rejected'])
  for (const { votes } of asked) expect(votes).toMatchObject([{ decided_by: { kind: 'person' } }])
  const [refund] = asked
  expect(refund).toMatchObject({ edited_input: agreed, follow_up_run_id: [...ids][0] })
}

/** Every trouble was told, to the owner and to operations; and what is over counts as that. */
export async function expectAllTold(desk: Desk, { operations, room }: Shop): Promise<void> {
  const runs = await desk.everyRun()
  const failed = runs.filter(({ status }) => status === 'failed')
  const codes = failed.map(({ task_id, error }) => `${task_id}: ${error?.code}`)
  expect(codes.toSorted((a, b) => a.localeCompare(b))).toEqual([
    'draft-reply: tool_unavailable',
    'refund: api_broken_answer',
    'send-reply: api_broken_answer',
  ])
  const inbox = await desk.inbox()
  const kinds = inbox
    .filter(({ type }) => !type.startsWith('key.'))
    .map((one) => [one.type, one.task_id])
  expect(new Set(kinds.map(String))).toEqual(
    new Set(
      [
        ['approval.rejected', 'refund'],
        ['approval.requested', 'refund'],
        ['run.failed', 'draft-reply'],
        ['run.failed', 'refund'],
        ['run.failed', 'send-reply'],
        ['secret.missing', null],
        ['task.paused', 'refund'],
        ['task.paused', 'send-reply'],
        ['work.held', 'refund'],
        ['work.held', 'review'],
        ['work.held', 'send-reply'],
      ].map(String),
    ),
  )
  const open = inbox.filter(
    ({ type, resolved_at }) =>
      resolved_at === null && /held|failed|paused|requested|missing/.test(type),
  )
  expect(open).toEqual([])
  const types = Map.groupBy(
    operations.taken,
    ({ body }) => (JSON.parse(body) as { type: string }).type,
  )
  const told = [...types].map(([type, taken]) => [type, new Set(taken.map(({ id }) => id)).size])
  expect(Object.fromEntries(told)).toEqual({
    'agent_app.provisioned': 1,
    'run.failed': 3,
    'run.waiting_approval': 2,
    'approval.decided': 2,
    'task.paused': 3,
  })
  for (const { body, signature } of operations.taken) {
    expect(signature).toBe(createHmac('sha256', secrets.operations).update(body).digest('hex'))
  }
  for (const { id } of failed) expect(room.idsOf(id)).toHaveLength(1)
}

/** What customers wrote is marked wherever it comes out, until a person has approved it. */
export async function expectMarked(desk: Desk, shop: Shop): Promise<void> {
  const source = { kind: 'webhook' }
  for (const number of tickets) {
    const chain = await desk.chain(number)
    expect(chain.length).toBeGreaterThanOrEqual(4)
    for (const run of chain) expect(run, run.task_id ?? '').toMatchObject({ untrusted: true })
  }
  for (const approval of await desk.approvals()) {
    expect(approval).toMatchObject({ untrusted: true, source })
    const { text, structured } = await desk.tool('approvals_get', { approval_id: approval.id })
    expect(structured).toMatchObject({ untrusted: true, source })
    expect(text).toContain(strange)
    expect(text.replace(/<(untrusted-[\w-]+)>[\s\S]*<\/\1>/, '')).not.toContain(strange)
    const page = await desk.page(`/approvals/${approval.id}`)
    expect(page).toContain(strange)
    expect(page).toMatch(/Written outside of the\s+account\s+\(webhook\)/)
  }
  const [refund] = await desk.runs('billing', 'refund')
  expect(refund).toMatchObject({ untrusted: true, source })
  const { follow_up_run_id } = (await desk.approvals())[0] ?? {}
  const paid = await desk.ask<Run>(`/api/runs/${follow_up_run_id}`)
  expect(paid, 'a person has approved it').not.toHaveProperty('untrusted')
  const path = `/api/characters/${app}--billing/messages?limit=100`
  const { items } = await desk.ask<{ items: object[] }>(path)
  expect(items).toHaveLength(2)
  for (const message of items) expect(message).toMatchObject({ untrusted: true, source })
  for (const { body } of shop.model.asked) {
    for (const { role, content } of body.messages) {
      const unfenced = textOf(content).replaceAll(/\[(\w+) untrusted: [\s\S]*?\n… \1\]/g, '')
      if (role !== 'assistant') expect(unfenced).not.toContain(strange)
    }
  }
}
