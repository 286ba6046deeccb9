import type { Command, CommandEnd, CommandLimits } from './command.ts'

/**
 * Runs shell commands of tasks in a place of their own: no network, the system read-only, nothing of
 * this server in reach, one empty folder that goes with the command.
 */
export interface Shell {
  readonly limits: CommandLimits
  /** @throws CommandFailure, or the reason of the signal once it is aborted */
  run(command: Command & { script: string }): Promise<CommandEnd>
}
