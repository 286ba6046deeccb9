import type { ChatTask } from '../chat.ts'
import type { Context } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import { hasEnded, type StoredRun } from '#src/runs/run.ts'
import { owedFor } from './owed.ts'
import { shownState } from './view.ts'
import { expiry, targetOf, type SentTarget } from './target.ts'

/** A chat task and its run that are about to be stored. */
export interface Opened {
  chat: ChatTask
  /** As stored: queued, or ended in the same commit. */
  run: StoredRun
  /** The target that came with the message. */
  sent?: SentTarget | undefined
}

/**
 * The writes that create a chat task with its first target and the first notifications to it; for the
 * commit of its run.
 * @throws Refusal `invalid_input` for a target that would never be called
 */
export function beginning(
  context: Pick<Context, 'caller' | 'address' | 'clock' | 'sealer' | 'sender'>,
  { chat, run, sent }: Opened,
): Write[] {
  const ended = hasEnded(run) ? { ended_at: run.finished_at ?? chat.created_at } : {}
  if (!sent) return [{ in: 'chats', insert: { ...chat, ...ended } }]
  const target = targetOf(context, chat, sent, '/push')
  const now = context.clock.now()
  const steps = stepsOf(run)
  const owed = steps.flatMap((step, i) => {
    return owedFor([target], { chat, run: step, number: i + 1, isFirst: i === 0, now })
  })
  const told = { told: steps.length, targets: 1, state: shownState(run) }
  return [
    { in: 'chats', insert: { ...chat, ...told, ...ended } },
    { in: 'push_targets', insert: { ...target, ...(hasEnded(run) && expiry(now)) } },
    ...owed,
  ]
}

/** All states of the run up to its stored one, which is the last. */
function stepsOf(run: StoredRun): StoredRun[] {
  const blank = { reason: null, output: null, error: null, artifacts: [], finished_at: null }
  const bare = { ...run, ...blank }
  const queued: StoredRun = { ...bare, status: 'queued' }
  if (!hasEnded(run)) return [run]
  const isStarted = run.started_at !== null
  return isStarted ? [queued, { ...bare, status: 'running' }, run] : [queued, run]
}
