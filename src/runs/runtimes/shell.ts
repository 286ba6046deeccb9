import { RunFailure } from '../failure.ts'
import { commandOf, disabled, refusePlaceholders, resultOf } from './command.ts'
import type { Runtime } from './runtime.ts'

/** The task's `shell_command`, run by `/bin/sh` in a place of its own. */
export const shell: Runtime = async (work) => {
  const { shell: place } = work.ports
  if (!place) throw disabled('shell', 'ABODE_SHELL_RUNTIME=on')
  const script = work.task.shell_command
  if (!script) {
    const message = 'The task has the runtime "shell" and no shell_command.'
    throw new RunFailure('shell_command_missing', message)
  }
  refusePlaceholders('shell', script)
  return resultOf('shell', work, place.run({ ...(await commandOf(work)), script }))
}
