import { fork, type ChildProcess } from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Extract, Material } from '#src/ports/extractor.ts'
import { Unavailable } from '#src/ports/store.ts'
import { Job } from './job.ts'
import { tooCostly } from './limits.ts'
import type { ProcessReply, ProcessRequest } from './message.ts'
import type { ThreadTerms } from './thread.ts'

const program = new URL('./program.ts', import.meta.url)
/** Bytes of a material that are handed over in one step of the event loop. */
const bytesOfPiece = 2 ** 19

/**
 * A process that reads one material at a time, in a thread. Once `isGone`, a new one must be made. It is a
 * process because parsers take and free much memory in small pieces, which the C library keeps for the process
 * when a thread ends.
 */
export class ReadingProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<void>
  #job: Job | undefined
  #isGone = false
  #isFull = false

  constructor({ code, ...terms }: ThreadTerms) {
    this.#child = fork(fileURLToPath(program), [JSON.stringify({ ...terms, code: code.href })], {
      // As for the thread: nothing of the environment is for code that reads untrusted input.
      execArgv: [],
      env: neededEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // The child sends nothing else.
    this.#child.on('message', (reply) => this.#take(reply as ProcessReply))
    this.#exited = new Promise((resolve) => {
      const gone = (cause: Error): void => {
        this.#isGone = true
        this.#fail(cause)
        resolve()
      }
      this.#child.once('exit', () => gone(tooCostly()))
      // It could not be started, or not be told: no fault of the material.
      this.#child.on('error', (cause) => {
        const away = new Unavailable('the extractor cannot be reached', { cause })
        if (this.#child.pid === undefined) gone(away)
        else this.#fail(away)
      })
    })
    this.#rest()
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Memory of the last material is still in use, which must not count against the next. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** @throws ExtractFailure, Unavailable when the process is ended in the meantime */
  read(material: Material): Promise<Extract> {
    const job = (this.#job = new Job())
    this.#child.ref()
    this.#child.channel?.ref()
    this.#send(job, material).catch(untold)
    return job.extract
  }

  /** Ends the process, even while it works; resolves when it is gone. */
  end(): Promise<void> {
    this.#isGone = true
    this.#fail(new Unavailable('the extractor is closed'))
    this.#child.kill('SIGKILL')
    return this.#exited
  }

  async #send(job: Job, { bytes, ...rest }: Material): Promise<void> {
    await this.#tell({ begin: rest, size: bytes.length })
    for (let at = 0; at < bytes.length && this.#job === job; at += bytesOfPiece) {
      await this.#tell({ bytes: bytes.subarray(at, at + bytesOfPiece) })
      await setImmediate()
    }
  }

  /** Resolves once it is written. */
  #tell(request: ProcessRequest): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.send(request, (error) => (error ? reject(error) : resolve()))
    })
  }

  #take(reply: ProcessReply): void {
    const job = this.#job
    if (!job) return
    if (reply.isFull !== undefined) this.#isFull = reply.isFull
    if (job.take(reply)) return this.#rest()
    // Other work that waits for the event loop comes first.
    void setImmediate()
      .then(() => this.#tell('more'))
      .catch(untold)
  }

  /** The material failed because of the process, so the process is ended with it. */
  #fail(cause: Error): void {
    const job = this.#job
    if (!job) return
    this.#isGone = true
    this.#child.kill('SIGKILL')
    this.#rest()
    job.fail(cause)
  }

  /** While it has nothing to read, it does not keep this process alive. */
  #rest(): void {
    this.#job = undefined
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

/** A process that cannot be told anything has ended or was never there, and either is told by an event. */
function untold(): void {}

const mappedFrom = String(2 ** 17)

/** What makes GNU's C library give freed memory back, and without which Windows starts no program. */
function neededEnvironment(): Record<string, string> {
  const { SystemRoot } = process.env
  return {
    ...(SystemRoot !== undefined && { SystemRoot }),
    MALLOC_ARENA_MAX: '1',
    // Said once, it no longer grows with what is freed.
    MALLOC_MMAP_THRESHOLD_: mappedFrom,
    MALLOC_TRIM_THRESHOLD_: mappedFrom,
  }
}
