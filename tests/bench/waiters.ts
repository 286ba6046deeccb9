import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openStore } from '#adapters/store/open.ts'
import type { Store } from '#src/ports/store.ts'
import { awaitEnd } from '#src/runs/await-end.ts'
import { startWork } from '#src/work/work.ts'
import { openWorld } from '#tests/support/world.ts'
import { percentile } from './measure.ts'

/** What the group of this name asks of the process: to look at itself for so long, with or without reads. */
export interface Look {
  seconds: number
  reads: boolean
}

/** What it finds. */
export interface Found {
  /** The share of a processor that it took, 0 to 1. */
  cpu: number
  /** Of the reads, in milliseconds. */
  p50: number
  p95: number
  most: number
}

/** The name of a run that waiters wait for. */
export const heldRun = (n: number): string => `run_held${n}`

/**
 * A process of its own that holds so many callers who wait for the end of a run, and reads meanwhile: it takes a
 * folder and their number, says `ready`, and answers each `Look` with what it has `Found`.
 */
async function hold(folder: string, waiters: number): Promise<void> {
  const store = await openStore({ folder, uri: process.env.MONGODB_URI })
  const { ports } = openWorld(store)
  const work = startWork(ports, [], 1)
  const leaving = new AbortController()
  for (let n = 0; n < waiters; n += 1) {
    void awaitEnd(ports, heldRun(n), 3_600, leaving.signal).settled()
  }
  process.send?.('ready')
  process.on('message', (look: Look) => {
    void found(store, look).then((all) => process.send?.(all))
  })
  await once(process, 'disconnect')
  leaving.abort()
  await work.stop()
  await store.close()
}

async function found(store: Store, { seconds, reads }: Look): Promise<Found> {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const times: number[] = []
  while (performance.now() - begun < seconds * 1_000) {
    const start = performance.now()
    if (reads) await store.runs.get(heldRun(0))
    times.push(performance.now() - start)
    await sleep(reads ? 5 : 200)
  }
  const { user, system } = process.cpuUsage(before)
  const cpu = (user + system) / 1_000 / (performance.now() - begun)
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
  return { cpu, p50, p95, most: Math.max(...times) }
}

if (import.meta.main) {
  const [, , folder = '', waiters = '0'] = process.argv
  await hold(folder, Number(waiters))
}
