import type { Sender } from '#src/ports/sender.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import type { StoredRun } from '../run.ts'
import { api } from './api.ts'
import { template } from './template.ts'
import { unavailable } from './unavailable.ts'

/** What a runtime works with. */
export interface Work {
  run: StoredRun
  task: StoredTask
  sender: Sender
  /** Aborted when the run was cancelled, its time is up, or the process stops. */
  signal: AbortSignal
}

/** What a run gave. `output` is text, or JSON where the runtime answers JSON. */
export interface Result {
  output: unknown
}

/** Does the work of a run. @throws RunFailure */
export type Runtime = (work: Work) => Promise<Result> | Result

const runtimes: Readonly<Record<string, Runtime>> = {
  template,
  api,
  human_approval: unavailable,
  workflow: unavailable,
  router: unavailable,
  shell: unavailable,
  container: unavailable,
}

/** The runtime of that name that workers of ours run; none for `prompt`, for null and for unknown names. */
export function runtimeOf(name: string | null | undefined): Runtime | undefined {
  return name && Object.hasOwn(runtimes, name) ? runtimes[name] : undefined
}
