import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { SkipReason } from './slot.ts'

/** What of a task the words name. */
type Told = Pick<StoredTask, 'enabled' | 'reliability'>

/** Why a task whose autonomy is manual does not start, in words. */
export const onRequestOnly = 'The autonomy of the task is manual: it runs on request only.'

const words: Readonly<Record<SkipReason, string | ((task: Told, timezone: string) => string)>> = {
  overlap: ({ reliability }) =>
    reliability?.overlap_policy === 'queue'
      ? 'The run before was still going on, and another one waited for it already.'
      : 'The run before was still going on, and overlap_policy is skip.',
  outside_window: ({ reliability }, timezone) => {
    const { start, end, days = [] } = reliability?.active_window ?? {}
    const on = days.length > 0 ? ` on days ${days.join(', ')} (0 is Sunday)` : ''
    return `It was outside the active window, ${start} to ${end}${on} in ${timezone}.`
  },
  skip_next: 'It was to be skipped, as skip_next_run_at says.',
  task_disabled: (task) => (task.enabled ? 'The task was disabled then.' : reasonOfPause(task)),
  autonomy_manual: onRequestOnly,
  within_hour:
    'It was less than an hour from the last fire that came, and a task fires at most once an hour.',
  quota: 'A quota of the account was used up: runs_a_day, queued_runs or stored_bytes.',
  account_suspended: 'The operator of this server had suspended the account.',
  missed_while_down: 'No scheduler was there in time: what is ten minutes late is not made up.',
}

/** Why a fire came to nothing, in words. */
export function skippedBecause(
  reason: SkipReason,
  task: Told,
  timezone: string | null | undefined,
): string {
  const said = words[reason]
  return typeof said === 'string' ? said : said(task, timezone ?? 'UTC')
}

/** That a task is disabled, and why where the platform or its owner has said so. */
export function reasonOfPause({ reliability }: Pick<StoredTask, 'reliability'>): string {
  const reason = reliability?.pause_reason
  return reason ? `The task is paused: ${reason}` : 'The task is disabled.'
}
