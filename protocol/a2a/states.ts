import { TaskState } from '@a2a-js/sdk'

/** What a run's status is called here. */
const ofRun: Readonly<Record<string, TaskState>> = {
  queued: TaskState.TASK_STATE_SUBMITTED,
  running: TaskState.TASK_STATE_WORKING,
  waiting_approval: TaskState.TASK_STATE_INPUT_REQUIRED,
  waiting_input: TaskState.TASK_STATE_INPUT_REQUIRED,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  timed_out: TaskState.TASK_STATE_FAILED,
  cancelled: TaskState.TASK_STATE_CANCELED,
  abandoned: TaskState.TASK_STATE_CANCELED,
  skipped: TaskState.TASK_STATE_REJECTED,
}

/** Work is under way. */
export const working = TaskState.TASK_STATE_WORKING

const terminal: ReadonlySet<TaskState | undefined> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
])

/** The statuses of runs that a state stands for. */
export function statusesOf(state: TaskState): string[] {
  return Object.keys(ofRun).filter((status) => ofRun[status] === state)
}

/** @throws Error for a status that runs do not have */
export function stateOfRun(status: string): TaskState {
  const state = ofRun[status]
  if (state === undefined) throw new Error(`no state stands for the run status "${status}"`)
  return state
}

/** Nothing happens to the task any more. */
export function isTerminal(state: TaskState | undefined): boolean {
  return terminal.has(state)
}

/** Nothing happens to the task by itself: it has ended, or waits for somebody. */
export function isSettled(state: TaskState | undefined): boolean {
  return isTerminal(state) || state === TaskState.TASK_STATE_INPUT_REQUIRED
}
