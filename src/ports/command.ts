/** A command of a task, to be run away from everything else. */
export interface Command {
  /** Which run it is, for an adapter that has to name what it starts. */
  run: { run_id: string; task_id: string; char_id: string }
  /** Names are letters, digits and `_`. Values hold no NUL. Nothing else of the environment is there. */
  env: Readonly<Record<string, string>>
  /** What it reads from its standard input. */
  stdin: string
  timeoutMs: number
  /** Ends it with every process that it has started. */
  signal: AbortSignal
}

/** How a command ended that was left to its end. */
export interface CommandEnd {
  /** 128 and the number of the signal where one ended it. */
  exitCode: number
  /** Whole; a longer one is a failure. Well-formed, whatever its bytes were. */
  stdout: string
  /** Its beginning. */
  stderr: string
  /** The end of `stderr` was left out. */
  isCut: boolean
}

/** What a command may use, for those who write one. */
export interface CommandLimits {
  stdout_bytes: number
  /** Beyond it the rest is left out; sixty-four times as much ends the command. */
  stderr_bytes: number
  memory_bytes: number
  processes: number
  file_bytes: number
  folder_bytes: number
}

/** Why a command was ended, or never began. */
export type CommandFault =
  /** Its time was up. */
  | 'timeout'
  /** It and its processes used more memory together than they may. */
  | 'memory'
  /** It wrote more than is taken. */
  | 'output'
  /** What was to run it could not, or said what cannot be understood. */
  | 'unavailable'

/** A command gave no exit code. The message is fit to be shown to the owner of the task. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  readonly fault: CommandFault
  /** The beginning of what it wrote to its standard error. */
  readonly stderr: string

  constructor(
    fault: CommandFault,
    message: string,
    options: ErrorOptions & { stderr?: string } = {},
  ) {
    super(message, options)
    this.fault = fault
    this.stderr = options.stderr ?? ''
  }
}
