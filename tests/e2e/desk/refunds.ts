import { expect } from 'vitest'
import type { Approval } from '#src/runs/approvals/approval.ts'
import type { Run } from '#src/runs/run.ts'
import { app, secrets, type Desk } from './desk.ts'
import { strange, type Shop } from './shop.ts'
import { callAsTold, isTold, type Step } from './step.ts'

/** What the first refund is cut down to by the person. */
export const agreed = 'Refund of 39 EUR for order TT-2001. Reason: worn, as the picture shows.'

/** The question about the refund of an order, if it was asked. */
async function questionOn(desk: Desk, order: string): Promise<Approval | undefined> {
  return (await desk.approvals()).find(({ input }) => JSON.stringify(input).includes(order))
}

/** The person decides on the refund of an order. */
async function decide(desk: Desk, order: string, decision: object): Promise<void> {
  const asked = await questionOn(desk, order)
  if (!asked) throw new Error(`no refund of ${order} is asked for`)
  await desk.asPerson(`/api/approvals/${asked.id}/decision`, { body: decision, once: order })
}

/** A customer fills in the form for returns. */
function returned(desk: Desk, order: string, amount_eur: number): Promise<unknown> {
  const filled = { order_number: order, amount_eur, reason: strange }
  return desk.form('resolver', 'support/returns', secrets.returns, order, filled)
}

/** A person decides on refunds, while what pays them is down. */
export function refunds(desk: Desk, shop: Shop): Step[] {
  const last = async (): Promise<Run | undefined> => (await desk.runs('billing', 'refund')).at(-1)
  return [
    {
      does: 'a customer asks for a refund',
      act: () => returned(desk, 'TT-2001', 49),
      isDone: async () => (await questionOn(desk, 'TT-2001'))?.state === 'pending',
    },
    {
      does: 'keys, the agent its own too, may not decide on it',
      act: () => refuseKeys(desk),
      isDone: async () => (await questionOn(desk, 'TT-2001'))?.votes.length === 0,
    },
    {
      does: 'the person approves less, while payments are down',
      async act() {
        shop.payments.isDown = true
        await decide(desk, 'TT-2001', { decision: 'approve', edited_input: agreed })
      },
      isDone: async () =>
        (await last())?.status === 'failed' &&
        (await desk.task('billing', 'refund')).pause_reason !== null &&
        (await isTold(desk, 'run.failed', 'refund')),
    },
    {
      does: 'another customer asks for a refund',
      act: () => returned(desk, 'TT-2002', 900),
      isDone: async () =>
        (await last())?.reason === 'task_paused' && (await isTold(desk, 'work.held', 'refund')),
    },
    {
      does: 'the owner resumes the refunds, and the second is asked about',
      act: () => callAsTold(desk, 'work.held', 'refund'),
      isDone: async () => (await questionOn(desk, 'TT-2002'))?.state === 'pending',
    },
    {
      does: 'the person rejects it',
      act: () => decide(desk, 'TT-2002', { decision: 'reject', reason: 'Not from us.' }),
      async isDone() {
        const isRejected = (await questionOn(desk, 'TT-2002'))?.state === 'rejected'
        if (!isRejected || (await last())?.finished_at === null) return false
        // The first refund was not paid yet by any run that ended since.
        expect(await desk.notice('run.failed', 'refund')).toMatchObject({ resolved_at: null })
        return true
      },
    },
    {
      does: 'payments are back, and the owner retries the refund that was approved',
      act() {
        shop.payments.isDown = false
        return callAsTold(desk, 'run.failed', 'refund')
      },
      isDone: async () => shop.payments.idsOf('TT-2001').length > 0,
    },
  ]
}

async function refuseKeys(desk: Desk): Promise<void> {
  const asked = await questionOn(desk, 'TT-2001')
  const scoped = { name: 'Lead', scope_char_id: `${app}--lead`, rights: ['policy'] }
  const { key } = await desk.ask<{ key: string }>('/api/api-keys/', {
    body: scoped,
    once: 'scoped',
  })
  const sent = { body: { decision: 'approve' }, status: 403 }
  for (const one of [desk.key, key]) {
    const refused = await desk.ask(`/api/approvals/${asked?.id}/decision`, sent, one)
    expect(refused).toMatchObject({ code: 'person_needed' })
  }
}
