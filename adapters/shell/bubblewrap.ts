import { spawn, type ChildProcess } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { Writable } from 'node:stream'
import {
  CommandFailure,
  type Command,
  type CommandEnd,
  type CommandLimits,
} from '#src/ports/command.ts'
import type { Shell } from '#src/ports/shell.ts'
import { descriptors, limitedShell, sandboxArguments, type Surroundings } from './arguments.ts'
import { Attendance } from './attendance.ts'
import { MemoryWatch } from './memory.ts'
import { places } from './places.ts'
import { Sandbox } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { RuntimeUnusable } from './unusable.ts'

const megabyte = 1024 * 1024

/** The limits of every command. */
export const shellLimits: CommandLimits = {
  stdout_bytes: megabyte,
  stderr_bytes: 16 * 1024,
  memory_bytes: 512 * megabyte,
  processes: 64,
  file_bytes: 64 * megabyte,
  folder_bytes: 64 * megabyte,
}
/** Commands that a process runs at a time; others wait for their turn. */
const commandsAtOnce = 8
const stderrAtMostTimes = 64
/** The user that owns nothing: a server that runs as root does not run commands as root. */
const unprivilegedId = 65_534
const probeTakesAtMostMs = 20_000

export interface ShellOptions {
  /** Folders that commands must not see wherever they lie, such as the data folder. */
  hidden: readonly string[]
  /** The program, for tests; by default `bwrap` in PATH. */
  program?: string
}

/**
 * The shell runtime on bubblewrap, after a test command.
 * @throws RuntimeUnusable if it is not installed or the system does not allow namespaces
 */
export async function openShell({ hidden, program = 'bwrap' }: ShellOptions): Promise<Shell> {
  const filter = seccompFilter()
  const seen = [...new Set(hidden.flatMap((path) => [path, real(path)]))]
  const surroundings = { limits: shellLimits, hidden: seen, hasFilter: filter !== undefined }
  const shell = new Bubblewrap(program, surroundings, filter)
  const probe: Command & { script: string } = {
    run: { run_id: 'start', task_id: 'start', char_id: 'start' },
    env: {},
    stdin: '',
    script: 'exit 42',
    timeoutMs: probeTakesAtMostMs,
    signal: new AbortController().signal,
  }
  const tried = await shell.run(probe).catch((cause: unknown) => objection(cause))
  if (tried instanceof RuntimeUnusable) throw tried
  if (tried.exitCode !== 42) throw objection(new Error(tried.stderr))
  return shell
}

function real(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function objection(cause: unknown): RuntimeUnusable {
  const { cause: inner } = cause instanceof Error ? cause : {}
  const isMissing = inner instanceof Error && 'code' in inner && inner.code === 'ENOENT'
  const said = cause instanceof CommandFailure ? cause.stderr || cause.message : String(cause)
  const why = isMissing
    ? 'needs bubblewrap: install the package, so that bwrap is in PATH'
    : `needs namespaces, and bwrap could not make them here (${said.trim().replaceAll(/\s+/g, ' ')})`
  return new RuntimeUnusable(`ABODE_SHELL_RUNTIME=on ${why}; or leave it off`, { cause })
}

class Bubblewrap implements Shell {
  readonly limits: CommandLimits
  readonly #program: string
  readonly #surroundings: Surroundings
  readonly #filter: Buffer | undefined
  readonly #places = places(commandsAtOnce)
  readonly #memory = new MemoryWatch()

  constructor(program: string, surroundings: Surroundings, filter: Buffer | undefined) {
    this.#program = program
    this.#surroundings = surroundings
    this.#filter = filter
    this.limits = surroundings.limits
  }

  async run(command: Command & { script: string }): Promise<CommandEnd> {
    const giveBack = await this.#places.take(command.signal)
    try {
      return await this.#run(command)
    } finally {
      giveBack()
    }
  }

  async #run(command: Command & { script: string }): Promise<CommandEnd> {
    const { limits } = this
    const args = sandboxArguments(this.#surroundings, command.env)
    // A NUL would end an argument and begin another one.
    if ([...args, command.script].some((text) => text.includes('\0'))) {
      throw new CommandFailure('unavailable', 'The command or a value of it holds a NUL.')
    }
    const child = this.#start(Math.ceil(command.timeoutMs / 1000))
    send(child, descriptors.arguments, args.map((one) => `${one}\0`).join(''))
    send(child, descriptors.script, command.script)
    if (this.#filter) send(child, descriptors.filter, this.#filter)
    const sandbox = new Sandbox(child)
    const attendance = new Attendance(
      {
        child,
        kill: () => sandbox.kill(),
        stdoutBytes: limits.stdout_bytes,
        stderrBytes: limits.stderr_bytes,
        stderrAtMost: limits.stderr_bytes * stderrAtMostTimes,
      },
      command,
    )
    let unwatch = (): void => undefined
    const tooMuch = (): void =>
      attendance.fail('memory', `The command used more than ${limits.memory_bytes} bytes.`)
    sandbox.onBegin((id) => (unwatch = this.#memory.watch(id, limits.memory_bytes, tooMuch)))
    try {
      const { code, stdout, stderr, isCut } = await attendance.ended()
      // The only sign of bubblewrap's own failure is that it reports no exit code.
      if (!sandbox.hasExited || code === null) {
        throw new CommandFailure('unavailable', 'The command could not be started.', { stderr })
      }
      return { exitCode: code, stdout, stderr, isCut }
    } finally {
      unwatch()
    }
  }

  #start(seconds: number): ChildProcess {
    const { arguments: from } = descriptors
    const inner = limitedShell(this.limits, seconds)
    return spawn(this.#program, ['--args', String(from), '--', ...inner], {
      // The environment of bubblewrap itself, which is not sandboxed, holds nothing of a task.
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      ...(process.getuid?.() === 0 && { uid: unprivilegedId, gid: unprivilegedId }),
    })
  }
}

function send(child: ChildProcess, descriptor: number, content: string | Buffer): void {
  const streams: readonly unknown[] = child.stdio
  const stream = streams[descriptor]
  // If bubblewrap does not read it, it fails with its own message.
  if (stream instanceof Writable) stream.on('error', () => undefined).end(content)
}
