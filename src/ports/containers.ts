import type { Command, CommandEnd, CommandLimits } from './command.ts'

/** Runs commands of tasks in containers, by a program of the operator. */
export interface Containers {
  /** The limits that the program is asked to enforce. */
  readonly limits: CommandLimits
  /** @param command null runs the image's own command. @throws as `Shell.run` */
  run(command: Command & { image: string; command: string | null }): Promise<CommandEnd>
}
