import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import {
  CommandFailure,
  type Command,
  type CommandEnd,
  type CommandLimits,
} from '#src/ports/command.ts'
import type { Containers } from '#src/ports/containers.ts'
import { Attendance } from './attendance.ts'
import { RuntimeUnusable } from './unusable.ts'

const megabyte = 1024 * 1024

const limits: CommandLimits = {
  stdout_bytes: megabyte,
  stderr_bytes: 16 * 1024,
  memory_bytes: 512 * megabyte,
  processes: 64,
  file_bytes: 64 * megabyte,
  folder_bytes: 64 * megabyte,
}
/** The limit of the program's output: two texts as JSON, with every byte escaped. */
const answerBytes = 6 * (limits.stdout_bytes + limits.stderr_bytes) + 1024
const complaintBytes = 16 * 1024
/** From the request to end until it is enforced. */
const graceMs = 5000
/**
 * What container tools need to find their engine; nothing else of the server's environment is passed
 * on.
 */
const handedOn =
  'PATH HOME USER LANG TMPDIR XDG_RUNTIME_DIR DOCKER_HOST DOCKER_CONFIG CONTAINER_HOST KUBECONFIG'

type Job = Command & { image: string; command: string | null }

/**
 * The container runtime, by a program of the operator's, one process per run.
 * @throws RuntimeUnusable if there is no such program
 */
export function openContainers(program: string): Containers {
  try {
    accessSync(program, constants.X_OK)
    if (!statSync(program).isFile()) throw new Error('not a file')
  } catch (cause) {
    const message = `ABODE_CONTAINER_RUNTIME must be off or the path of a program: ${program} cannot be run`
    throw new RuntimeUnusable(message, { cause })
  }
  return { limits, run: (job) => runBy(program, job) }
}

async function runBy(program: string, job: Job): Promise<CommandEnd> {
  const child = spawn(program, [], {
    env: Object.fromEntries(handedOn.split(' ').map((name) => [name, process.env[name]])),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // In a process group of its own, so that all of it can be ended.
    detached: true,
  })
  const attended = {
    child,
    kill: () => endGroup(child),
    stdoutBytes: answerBytes,
    stderrBytes: complaintBytes,
    stderrAtMost: answerBytes,
  }
  const attendance = new Attendance(attended, { ...job, stdin: textOf(job) })
  const { code, stdout, stderr } = await attendance.ended()
  if (code !== 0) throw unavailable(`The operator's program ended with ${code}.`, stderr)
  return resultOf(stdout, stderr)
}

/** The job in the form the program reads. */
function textOf({ run, image, command, env, stdin, timeoutMs }: Job): string {
  const { stdout_bytes, stderr_bytes, memory_bytes, processes } = limits
  const timeout_seconds = Math.ceil(timeoutMs / 1000)
  const held = { timeout_seconds, memory_bytes, processes, stdout_bytes, stderr_bytes }
  return JSON.stringify({ version: 1, run, image, command, env, input: stdin, limits: held })
}

/** Asks the program and its children to end, then kills them. */
function endGroup(child: ChildProcess): void {
  signalGroup(child, 'SIGTERM')
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
  child.once('close', () => clearTimeout(timer))
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // It is gone already.
  }
}

function resultOf(text: string, complaint: string): CommandEnd {
  const result = parsed(text)
  const { exit_code: exitCode, stdout = '', stderr = '' } = result ?? {}
  if (!Number.isInteger(exitCode) || typeof stdout !== 'string' || typeof stderr !== 'string') {
    throw unavailable("The operator's program gave no result that can be read.", complaint)
  }
  if (Buffer.byteLength(stdout) > limits.stdout_bytes) {
    const message = `The command wrote more than ${limits.stdout_bytes} bytes to its standard output.`
    throw new CommandFailure('output', message, { stderr: beginning(stderr) })
  }
  return {
    exitCode: Number(exitCode),
    stdout: stdout.toWellFormed(),
    stderr: beginning(stderr),
    isCut: Buffer.byteLength(stderr) > limits.stderr_bytes,
  }
}

function beginning(text: string): string {
  return Buffer.from(text).subarray(0, limits.stderr_bytes).toString('utf8')
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Its members are checked one by one.
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported by the caller.
  }
  return undefined
}

function unavailable(message: string, stderr: string): CommandFailure {
  return new CommandFailure('unavailable', message, { stderr })
}
