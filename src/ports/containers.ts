import type { Command, CommandEnd, CommandLimits } from './command.ts'

/** Runs commands of tasks in containers, by a program of the operator's. */
export interface Containers {
  /** What the program is asked to hold to. */
  readonly limits: CommandLimits
  /** @param command where `command` is null the image's own is run. @throws as `Shell.run` */
  run(command: Command & { image: string; command: string | null }): Promise<CommandEnd>
}
