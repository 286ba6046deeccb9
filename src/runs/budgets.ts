import { stepsDays } from './workflows/start.ts'
import { brainWaitHours } from './new-run.ts'
import type { Settings } from '#src/core/settings.ts'
import { attemptsAtMost, brainLeaseHours } from './claim.ts'
import { depthAtMost, runsARoot } from './ending/handoff.ts'

/** A bound of every run. */
export interface Budget {
  name: string
  limit: number
  /** The limit of accounts that no person has claimed, if plans may differ. */
  unclaimed?: number
  unit: string
  /** The error of a run that exceeds it, or of the step that it would begin. */
  code: string
}

const hour = 3600

/** Every bound of a run, in the order in which they are shown. */
export function budgets({ runSeconds }: Pick<Settings, 'runSeconds'>): Budget[] {
  const { claimed, unclaimed } = runSeconds
  const runTime = { name: 'run_time', limit: claimed, unclaimed, unit: 'seconds' }
  return [{ ...runTime, code: 'run_budget' }, ...ofAllPlans]
}

const ofAllPlans: readonly Budget[] = [
  { name: 'leased_time', limit: brainLeaseHours * hour, unit: 'seconds', code: 'run_budget' },
  { name: 'wait_for_lease', limit: brainWaitHours * hour, unit: 'seconds', code: 'no_worker' },
  { name: 'steps_time', limit: stepsDays * 24 * hour, unit: 'seconds', code: 'steps_budget' },
  { name: 'attempts', limit: attemptsAtMost, unit: 'attempts', code: 'worker_lost' },
  { name: 'chain_depth', limit: depthAtMost, unit: 'runs', code: 'chain_too_deep' },
  { name: 'runs_a_root', limit: runsARoot, unit: 'runs', code: 'too_many_runs' },
]
