import type { Command, CommandEnd, CommandLimits } from './command.ts'

/**
 * Runs shell commands of tasks in a sandbox: no network, the system read-only, nothing of this server
 * visible, and one empty folder that is deleted with the command.
 */
export interface Shell {
  readonly limits: CommandLimits
  /** @throws CommandFailure, or the reason of the signal once it is aborted */
  run(command: Command & { script: string }): Promise<CommandEnd>
}
