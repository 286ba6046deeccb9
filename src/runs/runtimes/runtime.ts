import type { Ports } from '#src/core/context.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Parking } from '../ending/park.ts'
import type { StoredRun } from '../run.ts'
import type { Show } from '../text/text.ts'

/** What a runtime works on. */
export interface Subject {
  run: Pick<StoredRun, 'id' | 'char_id' | 'task_id' | 'input' | 'variables'>
  task: StoredTask
}

/** What a runtime gets that may take its time. */
export interface Work extends Subject {
  run: StoredRun
  ports: Ports
  /** Aborted when the run was cancelled, its time is up, or the process stops. */
  signal: AbortSignal
  /** Keeps an event of the run, which those who follow it see at once. */
  note(type: string, data: Record<string, unknown>): Promise<void>
  show: Show
}

/** What a runtime has to show for a run. */
export interface Result {
  /** Text, or JSON where the runtime answers JSON. */
  output: unknown
  artifacts?: StoredRun['artifacts']
  usage?: StoredRun['usage']
}

/** Gives the result of a run, or `Parking` where it is to wait for something. @throws RunFailure */
export type Runtime = (work: Work) => Promise<Result | Parking>

/**
 * A runtime that needs only the run and its task, so that the run can end in the commit that
 * accepts it. @throws RunFailure
 */
export type InstantRuntime = (subject: Subject) => unknown
