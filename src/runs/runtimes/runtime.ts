import type { Ports } from '#src/core/context.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import type { Parking } from '../parking.ts'
import type { StoredRun } from '../run.ts'
import { api } from './api.ts'
import { template } from './template.ts'
import { unavailable } from './unavailable.ts'

/** What a runtime works on. */
export interface Subject {
  run: Pick<StoredRun, 'id' | 'char_id' | 'task_id' | 'input' | 'variables'>
  task: StoredTask
}

/** What a runtime works with that takes its time. */
export interface Work extends Subject {
  run: StoredRun
  ports: Ports
  /** Aborted when the run was cancelled, its time is up, or the process stops. */
  signal: AbortSignal
  /** Keeps an event of the run, which those who follow it see at once. */
  note(type: string, data: Record<string, unknown>): Promise<void>
}

/** What a runtime has to show for a run. */
export interface Result {
  /** Text, or JSON where the runtime answers JSON. */
  output: unknown
  artifacts?: StoredRun['artifacts']
  usage?: StoredRun['usage']
}

/** Gives what came of a run, or `Parking` where it is to wait for something. @throws RunFailure */
export type Runtime = (work: Work) => Promise<Result | Parking>

/**
 * A runtime that needs nothing but the run and its task, so that it can be worked off in the very
 * commit that accepts the run. @throws RunFailure
 */
export type InstantRuntime = (subject: Subject) => unknown

const instant: Readonly<Record<string, InstantRuntime>> = {
  template,
  human_approval: unavailable,
  workflow: unavailable,
  router: unavailable,
  shell: unavailable,
  container: unavailable,
}

const working: Readonly<Record<string, Runtime>> = { api }

/** The runtime of that name that ends at once, if it is one of those. */
export function instantRuntime(name: string | null | undefined): InstantRuntime | undefined {
  return name && Object.hasOwn(instant, name) ? instant[name] : undefined
}

/** The runtime of that name that workers of ours run, if it is one of those. */
export function workingRuntime(name: string | null | undefined): Runtime | undefined {
  return name && Object.hasOwn(working, name) ? working[name] : undefined
}

/** Whether a worker of ours does it, and not an agent that leases it: as `prompt`, null and unknown names. */
export function isOurs(name: string | null | undefined): boolean {
  return instantRuntime(name) !== undefined || workingRuntime(name) !== undefined
}
