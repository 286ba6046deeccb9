import { readdirSync, readFileSync } from 'node:fs'

const lookEveryMs = 100
const kilobytesOfMb = 1024

/** Watches the resident memory of a process, together with what those that it starts take for themselves. */
export class MemoryWatch {
  readonly #pid: number
  readonly #looking: NodeJS.Timeout
  #most = 0

  constructor(pid: number) {
    this.#pid = pid
    this.#looking = setInterval(() => this.#look(), lookEveryMs).unref()
  }

  /** Ends it. @returns the most that there was at any time, in MB */
  end(): number {
    clearInterval(this.#looking)
    this.#look()
    // Of the process alone, the system has counted what no look has seen.
    return Math.round(Math.max(this.#most, sizeIn(this.#pid, 'VmHWM')) / kilobytesOfMb)
  }

  #look(): void {
    // The pages of the program itself are the same ones.
    const others = startedBy(this.#pid).map((pid) => sizeIn(pid, 'RssAnon'))
    const all = others.reduce((sum, one) => sum + one, sizeIn(this.#pid, 'VmRSS'))
    this.#most = Math.max(this.#most, all)
  }
}

/** A size that the system tells of a process, in kB; 0 for one that has ended. */
function sizeIn(pid: number, name: 'VmHWM' | 'VmRSS' | 'RssAnon'): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** The processes that any thread of a process has started. */
function startedBy(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const told = tasks.map((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'))
    return told.flatMap((line) => line.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}
