import { TaskState, taskStateToJSON } from '@a2a-js/sdk'

/** The protocol's state for each status of a run. */
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

/** The run statuses that a state stands for. */
export function statusesOf(state: TaskState): string[] {
  return Object.keys(ofRun).filter((status) => ofRun[status] === state)
}

/** The name of a state in the protocol's JSON. */
export function nameOf(state: TaskState | undefined): string {
  return taskStateToJSON(state ?? TaskState.TASK_STATE_UNSPECIFIED)
}

/** The names of the states of runs that have not ended. */
export const unendedStates: readonly string[] = [
  ...new Set(Object.values(ofRun).filter((state) => !isTerminal(state))),
].map(nameOf)

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

/** Nothing happens to the task by itself: it has ended, or waits for a person or an agent. */
export function isSettled(state: TaskState | undefined): boolean {
  return isTerminal(state) || state === TaskState.TASK_STATE_INPUT_REQUIRED
}
