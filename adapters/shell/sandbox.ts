import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { descriptors } from './arguments.ts'

/** After this bubblewrap itself is killed. */
const endsWithinMs = 2000

/** A started bubblewrap, and what it reports of the command in it. */
export class Sandbox {
  readonly #child: ChildProcess
  /** The command was started, and has ended. */
  hasExited = false
  /** The first process of the command's namespace, by its number on this machine. */
  #first: number | undefined
  readonly #waiting: ((id: number) => void)[] = []
  #isKilled = false

  constructor(child: ChildProcess) {
    this.#child = child
    const streams: readonly unknown[] = child.stdio
    const stream = streams[descriptors.status]
    if (!(stream instanceof Readable)) return
    stream.on('error', () => undefined)
    // One JSON object per line.
    createInterface({ input: stream }).on('line', (line) => {
      const id = /"child-pid":\s*(\d+)/.exec(line)?.[1]
      if (id !== undefined) this.#begin(Number(id))
      if (line.includes('"exit-code"')) this.hasExited = true
    })
  }

  /** Calls back with the first process of the command's namespace, once it exists. */
  onBegin(then: (id: number) => void): void {
    if (this.#first === undefined) this.#waiting.push(then)
    else then(this.#first)
  }

  #begin(id: number): void {
    this.#first = id
    for (const then of this.#waiting.splice(0)) then(id)
  }

  /**
   * Kills everything in the sandbox. Its first process dies with bubblewrap only after it has requested
   * so (--die-with-parent); but its number is reported before it continues, and killing it ends all
   * others.
   */
  kill(): void {
    // The number of a process that is gone may soon be another's.
    if (this.#isKilled || this.#child.exitCode !== null) return
    this.#isKilled = true
    this.onBegin(kill)
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), endsWithinMs)
    this.#child.once('close', () => clearTimeout(timer))
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
