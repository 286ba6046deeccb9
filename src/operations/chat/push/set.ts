import * as z from 'zod'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { retryUnmet } from '#src/core/revision.ts'
import type { Write } from '#src/ports/store.ts'
import { toldLate } from '#src/runs/chat/push/late.ts'
import { chatExample, ofChat, ownChat, turned } from '#src/runs/chat/push/own-chat.ts'
import {
  expiry,
  SentTarget,
  ShownTarget,
  shownTarget,
  targetOf,
  targetsAtMost,
} from '#src/runs/chat/push/target.ts'

/**
 * Sets where notifications of a chat task go; the same id again replaces its former config. Once the task has
 * ended, the target is told of the end, and expires.
 */
export const set = operation({
  name: 'chat.push.set',
  summary: 'Have the changes of a task sent to an address.',
  example: { ...chatExample, target: { url: 'https://receiver.example/a2a' } },
  auth: 'none',
  oauthScope: 'run',
  http: { method: 'POST', path: '/a2a/{char_id}' },
  toolsets: ['messages'],
  input: z.strictObject({ ...ofChat, target: SentTarget }),
  output: ShownTarget,
  refuses: ['run_not_found', 'write_conflict'],
  internal: true,

  run({ char_id, chat_id, target: sent }, context) {
    return retryUnmet(async () => {
      const { store } = context
      const found = await ownChat(context, char_id, chat_id)
      const hasEnded = found.ended_at !== undefined
      const lasts = hasEnded ? expiry(context.clock.now()) : {}
      const target = { ...targetOf(context, found, sent, '/target'), ...lasts }
      const before = await store.push_targets.get(target.id)
      const count = found.targets ?? 0
      if (!before && count >= targetsAtMost) {
        refuse('quota_exceeded', `A task has at most ${targetsAtMost} notification configs.`, {
          hint: 'Delete one of them, or set it again under its own id.',
        })
      }
      const counted = turned(found, before ? count : count + 1)
      const kept: Write = before
        ? { in: 'push_targets', update: { id: target.id }, replace: target }
        : { in: 'push_targets', insert: target }
      const moved = before ? await redirected(context, target.id, target.url) : []
      // The end is the last of what waits.
      const isUntold = hasEnded && moved.length === 0
      const late = isUntold ? await toldLate(context, found, target) : []
      return context.commit(shownTarget(target), [counted, kept, ...moved, ...late])
    })
  },
})

/** Pending notifications of the target go to its new address. */
async function redirected(
  { store }: Pick<Context, 'store'>,
  push_target: string,
  url: string,
): Promise<Write[]> {
  const waiting = await store.deliveries.pick(['id'], { push_target, status: 'pending' })
  return waiting.map(([id]) => ({
    in: 'deliveries',
    update: { id: id ?? null, status: 'pending' },
    change: { $set: { url } },
  }))
}
