import { readdirSync, readFileSync } from 'node:fs'

/** Processes are found by what the system shows of them. */
export const canFindChildren = process.platform === 'linux'

/** A process that a supervisor has started. */
export interface Child {
  pid: number
  /** What it does, and which of its kind it is: `api 1`. */
  name: string
  /** Its command line. */
  words: readonly string[]
}

/** The processes that this one has started and that still run. */
export function childrenOf(pid: number | undefined): Child[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => parentOf(one) === pid)
    .map((one) => ({ pid: one, words: wordsOf(one) }))
    .map(({ pid: one, words }) => ({ pid: one, words, name: nameIn(words) }))
    .filter(({ name }) => name !== '')
}

/** Whether it runs, and is not only waited for. */
export function isRunning(pid: number): boolean {
  const state = fieldsOf(pid)[0]
  return state !== undefined && state !== 'Z' && state !== 'X'
}

function parentOf(pid: number): number {
  return Number(fieldsOf(pid)[1])
}

/** The state, the parent and what follows; nothing of a process that has just ended. */
function fieldsOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before them is in brackets, and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function nameIn(words: readonly string[]): string {
  const at = words.findIndex((word) => word === 'api' || word === 'worker')
  return at < 0 ? '' : words.slice(at, at + 2).join(' ')
}
