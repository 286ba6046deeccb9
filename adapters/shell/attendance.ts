import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { CommandFailure, type Command, type CommandFault } from '#src/ports/command.ts'

/** After this a killed process is given up, and its further output is ignored. */
const killedWithinMs = 5000

/** A process, and what is kept of its output. */
export interface Attended {
  child: ChildProcess
  /** Ends it with everything that it has started, as soon as possible. */
  kill: () => void
  stdoutBytes: number
  stderrBytes: number
  /** Bytes of standard error after which it is ended. */
  stderrAtMost: number
}

/** The result of a process. */
export interface Left {
  /** Null if a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
  isCut: boolean
}

type Needed = Pick<Command, 'stdin' | 'timeoutMs' | 'signal'>

/**
 * Runs a process to its end: gives it its input, keeps its output, and kills it when its time is up, it
 * writes too much, or its result is no longer wanted. `fail` ends it for another reason.
 */
export class Attendance {
  readonly #attended: Attended
  readonly #command: Needed
  readonly #stdout: Kept
  readonly #stderr: Kept
  #failure: CommandFailure | undefined

  constructor(attended: Attended, command: Needed) {
    this.#attended = attended
    this.#command = command
    const { child, stdoutBytes, stderrBytes, stderrAtMost } = attended
    const overflow = (name: string, most: number) => (): void =>
      this.fail('output', `The command wrote more than ${most} bytes to its ${name}.`)
    this.#stdout = new Kept(child.stdout, stdoutBytes)
    this.#stdout.over(stdoutBytes, overflow('standard output', stdoutBytes))
    this.#stderr = new Kept(child.stderr, stderrBytes)
    this.#stderr.over(stderrAtMost, overflow('standard error', stderrAtMost))
  }

  fail(fault: CommandFault, message: string): void {
    if (this.#failure) return
    this.#failure = new CommandFailure(fault, message, { stderr: this.#stderr.text() })
    this.#attended.kill()
  }

  /** @throws CommandFailure, or the reason of the signal */
  async ended(): Promise<Left> {
    const { child, kill } = this.#attended
    const { stdin, timeoutMs, signal } = this.#command
    const seconds = Math.round(timeoutMs / 1000)
    const late = (): void => this.fail('timeout', `The command took longer than ${seconds} s.`)
    const timer = setTimeout(late, timeoutMs)
    signal.addEventListener('abort', kill)
    try {
      // A command that does not read its input is not a failure.
      child.stdin?.on('error', () => undefined).end(stdin)
      if (signal.aborted) kill()
      const code = await closed(child, () => this.#failure !== undefined || signal.aborted)
      if (signal.aborted) throw signal.reason
      if (this.#failure) throw this.#failure
      const isCut = this.#stderr.isCut
      return { code, stdout: this.#stdout.text(), stderr: this.#stderr.text(), isCut }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', kill)
    }
  }
}

/** Resolves with the exit code once the process is gone and its streams have ended. */
function closed(child: ChildProcess, isKilled: () => boolean): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => {
      const message = 'What runs commands could not be started.'
      reject(new CommandFailure('unavailable', message, { cause }))
    })
    child.once('close', (code) => resolve(code))
    child.once('exit', (code) => {
      // A process that escaped the kill may hold the streams open.
      if (!isKilled()) return
      setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
        resolve(code)
      }, killedWithinMs).unref()
    })
  })
}

/** Keeps the beginning of a stream, and reads it to its end. */
class Kept {
  readonly #chunks: Buffer[] = []
  readonly #most: number
  readonly #stream: Readable | null
  #kept = 0
  isCut = false

  constructor(stream: Readable | null, most: number) {
    this.#stream = stream
    this.#most = most
    stream?.on('error', () => undefined)
    stream?.on('data', (chunk: Buffer) => {
      const room = this.#most - this.#kept
      if (chunk.length > room) this.isCut = true
      if (room <= 0) return
      const part = chunk.subarray(0, room)
      this.#chunks.push(part)
      this.#kept += part.length
    })
  }

  /** Calls back once when more than that many bytes have arrived, and reads no more. */
  over(most: number, then: () => void): void {
    let seen = 0
    this.#stream?.on('data', (chunk: Buffer) => {
      seen += chunk.length
      if (seen <= most) return
      this.#stream?.destroy()
      then()
    })
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8')
  }
}
