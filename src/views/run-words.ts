import { html, type Html } from '#src/core/html/html.ts'
import type { RunStatus } from '#src/runs/run.ts'
import type { Link } from './chain.ts'
import { name, type Look } from './parts.ts'

/** How a run stands, by its status. */
export const looks: Readonly<Record<RunStatus, Look>> = {
  queued: { word: 'Queued', tone: 'calm', icon: 'dots' },
  running: { word: 'Running', tone: 'busy', icon: 'ring' },
  waiting_approval: { word: 'Waits for approval', tone: 'wait', icon: 'hand' },
  waiting_input: { word: 'Waits for input', tone: 'wait', icon: 'hand' },
  completed: { word: 'Completed', tone: 'good', icon: 'check' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  timed_out: { word: 'Timed out', tone: 'bad', icon: 'clock' },
  cancelled: { word: 'Cancelled', tone: 'calm', icon: 'slash' },
  abandoned: { word: 'Abandoned', tone: 'calm', icon: 'slash' },
  skipped: { word: 'Skipped', tone: 'calm', icon: 'skip' },
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['waiting_for_worker', 'waits for an agent that takes it'],
  ['waiting_for_turn', 'waits for the run before it'],
  ['waiting_for_steps', 'waits for its steps'],
  ['concurrency', 'waits for a free place'],
  ['task_paused', 'its task is paused'],
  ['task_disabled', 'its task is switched off'],
  ['task_deleted', 'its task was deleted'],
  ['autonomy_manual', 'its task is started by hand alone'],
  ['not_before', 'its time has not come'],
  ['quota', 'a quota is used up'],
  ['account_suspended', 'the account is suspended'],
  ['budget_exceeded', 'a budget for models is used up'],
  ['held_runs', 'too many wait for its task already'],
  ['dropped', 'it was dropped as its task went on'],
  ['workflow_ended', 'its workflow has ended'],
  ['resumed', 'it goes on as another run'],
  ['cancelled', 'on request'],
])

/** Why a run stands as it does, in words; a reason that someone gave as it is. */
export function reasonWords(reason: string): Html {
  const known = reasons.get(reason)
  return known === undefined ? name(reason, 300) : html`${known}`
}

/** What set a run going. */
export const triggers: ReadonlyMap<string, string> = new Map([
  ['manual', 'A call'],
  ['cron', 'Its schedule'],
  ['heartbeat', 'Its heartbeat'],
  ['webhook', 'A webhook'],
  ['event', 'An event'],
  ['hook', 'A hook'],
  ['action', 'An action'],
  ['message', 'A message'],
  ['workflow', 'A workflow'],
  ['router', 'A router'],
  ['order', 'An order'],
  ['generation', 'A request to write'],
])

const number = new Intl.NumberFormat('en')

/** What runs used together; undefined where no model was asked. */
export function tokensOf(runs: readonly Link[]): string | undefined {
  let [read, written] = [0, 0]
  for (const { usage } of runs) {
    read += usage?.input_tokens ?? 0
    written += usage?.output_tokens ?? 0
  }
  return read + written === 0
    ? undefined
    : `${number.format(read)} in, ${number.format(written)} out`
}
