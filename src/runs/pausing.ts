import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import type { Consequence } from './consequences.ts'

/** A failed run pauses its task where the task asks for that. */
export const pauseOf: Consequence = (_ports, { run, task, outcome, now }): Write[] => {
  const hasFailed = outcome.status === 'failed' || outcome.status === 'timed_out'
  if (!hasFailed || !task?.reliability?.pause_on_failure || !task.enabled) return []
  const pause_reason = `The run ${run.id} ${outcome.status === 'failed' ? 'failed' : 'timed out'}.`
  const change = {
    $set: {
      enabled: false,
      'reliability.pause_reason': pause_reason,
      due_at: null,
      updated_at: timestamp(now),
    },
    $inc: { revision: 1 },
  }
  // The agent's text shows its tasks, so its revision moves with theirs.
  return [
    { in: 'tasks', update: { id: task.id }, change },
    { in: 'characters', update: { id: run.char_id }, change: { $inc: { revision: 1 } } },
  ]
}
