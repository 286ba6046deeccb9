import { RunFailure } from '../failure.ts'
import type { InstantRuntime } from './runtime.ts'

/** Runtimes that are known and kept, but that this version does not run yet. */
export const unavailable: InstantRuntime = ({ task }) => {
  throw new RunFailure(
    'runtime_not_available',
    `The runtime "${task.runtime}" is not available in this version; the task was kept as sent. ` +
      'Available are template, api and prompt.',
  )
}
