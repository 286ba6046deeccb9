/** A command of a task, to be run in isolation. */
export interface Command {
  /** The run, for an adapter that has to name what it starts. */
  run: { run_id: string; task_id: string; char_id: string }
  /** Names are letters, digits and `_`; values have no NUL. There are no other environment variables. */
  env: Readonly<Record<string, string>>
  /** The text of its standard input. */
  stdin: string
  timeoutMs: number
  /** Ends it with every process that it has started. */
  signal: AbortSignal
}

/** The end of a command that was not ended early. */
export interface CommandEnd {
  /** 128 plus the number of the signal, if a signal ended it. */
  exitCode: number
  /** Complete; a longer one is a failure. Well-formed, for any bytes. */
  stdout: string
  /** Its beginning. */
  stderr: string
  /** The end of `stderr` was left out. */
  isCut: boolean
}

/** The limits of commands, for their authors. */
export interface CommandLimits {
  stdout_bytes: number
  /** More than this is left out; sixty-four times as much ends the command. */
  stderr_bytes: number
  memory_bytes: number
  processes: number
  file_bytes: number
  folder_bytes: number
}

/** Why a command was ended, or never began. */
export type CommandFault =
  /** It ran out of time. */
  | 'timeout'
  /** It and its processes together used more memory than allowed. */
  | 'memory'
  /** It wrote more than is accepted. */
  | 'output'
  /** The runner failed, or its answer cannot be understood. */
  | 'unavailable'

/** A command gave no exit code. The message may be shown to the owner of the task. */
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
