import { app, secrets, type Desk } from './desk.ts'
import { setUp } from './set-up.ts'
import { refunds } from './refunds.ts'
import { strange, type Shop } from './shop.ts'
import { callAsTold, isTold, type Step } from './step.ts'

/** A day of the support desk, in which one thing after the other is down. */
export function dayOf(desk: Desk, shop: Shop): Step[] {
  return [
    ...setUp(desk, shop),
    {
      ...ticket(desk, 'TT-1001', 'the first customer writes'),
      isDone: async () => isAnswered(shop, 'TT-1001'),
    },
    ...helpdeskDown(desk, shop),
    ...ordersLost(desk, shop),
    ...taskPaused(desk, shop),
    ...refunds(desk, shop),
    {
      ...ticket(desk, 'TT-1006', 'the last customer writes'),
      isDone: async () => isAnswered(shop, 'TT-1006'),
    },
  ]
}

/** Those of its customers who wait for an answer. */
export const tickets = ['TT-1001', 'TT-1002', 'TT-1003', 'TT-1004', 'TT-1005', 'TT-1006']

/** A customer's message comes in by the web form. */
function ticket(desk: Desk, number: string, does: string): Omit<Step, 'isDone'> {
  const filled = {
    email: 'ada@example.org',
    order_number: number,
    message: `${number}. ${strange}`,
  }
  const { tickets: secret } = secrets
  return { does, act: () => desk.form('frontdesk', 'support/tickets', secret, number, filled) }
}

function isAnswered({ helpdesk }: Shop, number: string): boolean {
  return helpdesk.idsOf(number).length > 0
}

/** The one who mails the replies is down: one reply fails, the next waits, and both arrive. */
function helpdeskDown(desk: Desk, shop: Shop): Step[] {
  return [
    {
      ...ticket(desk, 'TT-1002', 'a customer writes while the help desk is down'),
      act() {
        shop.helpdesk.isDown = true
        return ticket(desk, 'TT-1002', '').act()
      },
      isDone: async () =>
        (await desk.task('frontdesk', 'send-reply')).pause_reason !== null &&
        (await isTold(desk, 'run.failed', 'send-reply')) &&
        (await isTold(desk, 'task.paused', 'send-reply')),
    },
    {
      ...ticket(desk, 'TT-1003', 'another customer writes'),
      async isDone() {
        const waiting = (await desk.runs('frontdesk', 'send-reply')).at(-1)
        return waiting?.reason === 'task_paused' && (await isTold(desk, 'work.held', 'send-reply'))
      },
    },
    {
      does: 'the help desk is back, and the owner retries what failed',
      act() {
        shop.helpdesk.isDown = false
        return callAsTold(desk, 'run.failed', 'send-reply')
      },
      isDone: async () => isAnswered(shop, 'TT-1002'),
    },
    {
      does: 'the owner resumes the task, and what waited is sent',
      act: () => callAsTold(desk, 'work.held', 'send-reply'),
      isDone: async () => isAnswered(shop, 'TT-1003'),
    },
  ]
}

/** The server of the orders is lost: the draft fails, then does without, as its owner says. */
function ordersLost(desk: Desk, shop: Shop): Step[] {
  const path = `/api/characters/${app}--resolver/tasks/draft-reply`
  const toolsOf = (isRequired: boolean): object[] => [
    { name: 'knowledge', type: 'builtin' },
    { name: 'shop-orders', type: 'mcp', required: isRequired },
  ]
  return [
    {
      ...ticket(desk, 'TT-1004', 'a customer writes while the orders cannot be read'),
      act() {
        shop.orders.isAway = true
        return ticket(desk, 'TT-1004', '').act()
      },
      async isDone() {
        const last = (await desk.runs('resolver', 'draft-reply')).at(-1)
        return (
          last?.error?.code === 'tool_unavailable' &&
          (await isTold(desk, 'run.failed', 'draft-reply'))
        )
      },
    },
    {
      does: 'the owner has drafts written without the orders, and retries',
      async act() {
        await desk.ask(path, { method: 'PUT', body: { tools: toolsOf(false) } })
        await callAsTold(desk, 'run.failed', 'draft-reply')
      },
      isDone: async () => isAnswered(shop, 'TT-1004'),
    },
    {
      does: 'the orders can be read again, and drafts need them again',
      act() {
        shop.orders.isAway = false
        return desk.ask(path, { method: 'PUT', body: { tools: toolsOf(true) } })
      },
      isDone: async () => true,
    },
  ]
}

/** The owner pauses a task in the middle of the chain: what is handed to it waits. */
function taskPaused(desk: Desk, shop: Shop): Step[] {
  const path = `/api/characters/${app}--quality/tasks/review`
  return [
    {
      does: 'the owner pauses the reviews',
      act: () => desk.ask(`${path}/pause`, { body: { reason: 'Benedikt is away.' } }),
      isDone: async () => (await desk.task('quality', 'review')).pause_reason !== null,
    },
    {
      ...ticket(desk, 'TT-1005', 'a customer writes while reviews are paused'),
      async isDone() {
        const waiting = (await desk.runs('quality', 'review')).at(-1)
        return waiting?.reason === 'task_paused' && (await isTold(desk, 'work.held', 'review'))
      },
    },
    {
      does: 'the owner resumes the reviews',
      act: () => callAsTold(desk, 'work.held', 'review'),
      isDone: async () => isAnswered(shop, 'TT-1005'),
    },
  ]
}
