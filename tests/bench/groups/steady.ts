import { join } from 'node:path'
import type { Bench, Group } from '../group.ts'
import { drive, once, type Load, type Sent, type Slice, type Subject } from '../load.ts'
import { productLoads } from '../loads.ts'
import { residentMiB } from '../measure.ts'
import { startProduct } from '../servers.ts'
import { stockFolder } from '../stock.ts'

/** A minute of the load, and the memory at its end. */
interface Minute extends Slice {
  memory: number
}

/** Whether a server stays as it is under minutes of everything at once. */
export const steady: Group = {
  name: 'steady',
  async measure(bench) {
    const folder = join(bench.folder, 'steady')
    const keys = await stockFolder(folder)
    const server = await startProduct(folder)
    try {
      const minutes = await minutesOf(bench, server, mixedOf(productLoads(keys)))
      // By the second one, everything is compiled.
      const [, second] = minutes
      const last = minutes.at(-1)
      if (!second || !last) throw new Error('there was no second minute')
      note(bench, second, last)
    } finally {
      await server.end()
    }
  },
}

async function minutesOf(bench: Bench, server: Subject, load: Load): Promise<Minute[]> {
  const seconds = bench.pace.rounds > 1 ? 60 : 3
  const minutes: Minute[] = []
  await once(server, load)
  for (let n = 1; n <= bench.minutes; n++) {
    bench.say(`minute ${n} of ${bench.minutes}`)
    const slice = await drive(server, load, seconds)
    minutes.push({ ...slice, memory: residentMiB(server.pid) })
  }
  return minutes
}

function note(bench: Bench, second: Minute, last: Minute): void {
  bench.note('steadyCpu', {
    value: last.cpu / second.cpu,
    absolute: `${last.cpu.toFixed(0)} us over ${second.cpu.toFixed(0)} us`,
  })
  bench.note('steadyP99', {
    value: last.p99 / second.p99,
    absolute: `${last.p99.toFixed(1)} ms over ${second.p99.toFixed(1)} ms`,
  })
  bench.note('steadyMemory', {
    value: last.memory - second.memory,
    absolute: `${last.memory.toFixed(0)} MiB over ${second.memory.toFixed(0)} MiB`,
  })
}

/** Of a hundred requests, how many each of these is. */
const shares = { read: 65, list: 10, create: 10, mcpCall: 10, runAwaited: 5 } as const

function mixedOf(loads: ReturnType<typeof productLoads>): Load {
  const all: readonly (() => Sent)[] = [
    ...Array.from({ length: shares.read }, () => loads.read.next),
    ...Array.from({ length: shares.list }, () => loads.list.next),
    ...Array.from({ length: shares.create }, () => loads.create.next),
    ...Array.from({ length: shares.mcpCall }, () => loads.mcpCall.next),
    ...Array.from({ length: shares.runAwaited }, () => loads.runAwaited.next),
  ]
  let turn = 0
  return {
    next: () => {
      // Steps of a number that shares no factor with a hundred mix them evenly.
      turn = (turn + 37) % all.length
      return all[turn]?.() ?? loads.read.next()
    },
    // Every answer shows when something was made.
    sign: 'created_at',
  }
}
