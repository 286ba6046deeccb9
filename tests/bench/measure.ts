import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** What is measured is Linux's own account of the process; nothing else tells as much. */
export const canMeasure = process.platform === 'linux'

/** Linux reports CPU time in hundredths of a second, independent of its own tick. */
const microsATick = 10_000

/** CPU time of a process with all its threads, user and system, in microseconds. */
export function cpuMicros(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program stands in parentheses and may hold anything; numbers follow.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * microsATick
}

/** Time on a processor of the thread with the event loop alone, in milliseconds. */
export function loopMs(pid: number): number {
  const [nanos] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(nanos) / 1e6
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** Resolves once the process has nothing left to do, or after ten seconds. */
export async function quiet(pid: number): Promise<void> {
  for (let i = 0, before = cpuMicros(pid); i < 100; i++) {
    await sleep(100)
    const now = cpuMicros(pid)
    if (now - before <= microsATick) return
    before = now
  }
}

/** @returns the value below which this share of the values lies; NaN without any */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** @returns the middle value, or the mean of the middle two; NaN without any */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}
