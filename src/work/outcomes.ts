import { attemptsAtMost, brainLeaseHours } from '#src/runs/claim.ts'
import type { Outcome } from '#src/runs/ended.ts'
import { stepsDays } from '#src/runs/workflows/start.ts'

/** Workers took the run and ended, again and again. */
export const workerLost: Outcome = {
  status: 'failed',
  attempt: attemptsAtMost,
  reason: 'worker_lost',
  error: {
    code: 'worker_lost',
    message: `The run lost its worker ${attemptsAtMost} times.`,
  },
}

/** There is no task any more. */
export const taskDeleted: Outcome = { status: 'cancelled', error: null, reason: 'task_deleted' }

/** What the run has started took too long. */
export const stepsTooLong: Outcome = {
  status: 'timed_out',
  error: { code: 'steps_budget', message: `Its steps did not end within ${stepsDays} days.` },
}

/** Its agent took too long. */
export const leasedTooLong: Outcome = {
  status: 'timed_out',
  error: { code: 'run_budget', message: `The run was leased for ${brainLeaseHours} hours.` },
}

/** No agent took it. */
export const noAgentCame: Outcome = {
  status: 'timed_out',
  reason: 'waiting_for_worker',
  error: { code: 'no_worker', message: 'No agent leased the run in time.' },
}
