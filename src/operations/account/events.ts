import * as z from 'zod'
import { Answer, answer, type StreamEvent } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { lookAgainMs } from '#src/core/listeners.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, pageOf } from '#src/core/page.ts'
import { documentName } from '#src/core/told/touch.ts'
import { AccountEvent } from '#src/events/log/entry.ts'
import { listened } from '#src/events/log/listen.ts'
import { look } from '#src/events/log/look.ts'
import { placeAfter, seenBy } from '#src/events/log/read.ts'

const atOnce = 100

export const events = operation({
  name: 'account.events',
  summary: 'Follow what happens in the account, oldest first; on REST also as a stream of events.',
  description:
    'Beginnings and ends of runs, approvals, notices, pauses, messages, agents and apps. Written from the first ' +
    'call on until a day after the last one. next_cursor is always there: call again with it, and with ' +
    'wait_seconds to wait for more. GET with "Accept: text/event-stream" streams, and resumes after ' +
    'Last-Event-ID. An event gap stands for what is not kept.',
  example: { limit: 20 },
  auth: 'key',
  http: { method: 'GET', path: '/api/account/events' },
  toolsets: ['account'],
  role: 'follow_account',
  input: z.strictObject({
    wait_seconds: z.int().min(0).max(60).default(0),
    from_now: z
      .boolean()
      .default(false)
      .describe(
        'Without a cursor: begin with what happens next, not with the oldest that is kept.',
      ),
    ...pageInput,
  }),
  output: pageOf(AccountEvent),
  refuses: ['cursor_invalid'],
  untrusted: true,

  async run({ wait_seconds, limit, ...from }, context) {
    const seen = seenBy(await listened(context), from)
    const until = context.clock.monotonic() + wait_seconds * 1000
    for (;;) {
      const left = Math.max(0, until - context.clock.monotonic())
      const { found, told, leave } = await looked(context, seen, limit, left)
      try {
        if (found.length > 0 || left === 0 || context.signal?.aborted) {
          const next_cursor = placeAfter(context.caller.accountId, found.at(-1)?.seq ?? seen)
          return answer({ items: found, next_cursor })
        }
        await told
      } finally {
        leave()
      }
    }
  },

  async follow(from, context) {
    const seen = seenBy(await listened(context), from)
    return new Answer('', { events: stream(seen, context) })
  },
})

/** What follows, and what resolves once there may be more: registered before reading, so that nothing is missed. */
async function looked(context: Context<'key'>, seen: number, limit: number, milliseconds: number) {
  const { accountId } = context.caller
  const done = new AbortController()
  const signal = context.signal ? AbortSignal.any([context.signal, done.signal]) : done.signal
  const name = documentName('account_logs', accountId)
  const told = context.waiting.until(name, milliseconds, signal)
  const leave = (): void => done.abort()
  try {
    return { found: await look(context, seen, limit), told, leave }
  } catch (cause) {
    leave()
    throw cause
  }
}

async function* stream(after: number, context: Context<'key'>): AsyncGenerator<StreamEvent> {
  const { accountId } = context.caller
  let seen = after
  while (!context.signal?.aborted) {
    const { found, told, leave } = await looked(context, seen, atOnce, lookAgainMs())
    try {
      for (const event of found) {
        seen = event.seq
        yield { id: placeAfter(accountId, seen), type: event.type, text: JSON.stringify(event) }
      }
      if (found.length < atOnce) await told
    } finally {
      leave()
    }
  }
}
