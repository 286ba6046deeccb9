import { drive, once, type Load, type Slice, type Subject } from './load.ts'
import { echoLoad } from './loads.ts'
import { median } from './measure.ts'

/** A load and the server that bears it. */
export interface Entry {
  name: string
  subject: Subject
  load: Load
}

/** How long things are measured, in seconds, and how often. */
export interface Pace {
  rounds: number
  slice: number
  echo: number
  warmUp: number
}

const warmRequests = 4000
const warmUpsAtMost = 4

/** What a load costs: the median of its rounds. */
export interface Figures {
  /** CPU time of the server for each request over that of the bare echo around it. */
  x: number
  /** The same in microseconds. */
  cpu: number
  /** Milliseconds. */
  p50: number
  p99: number
  aSecond: number
}

/** What was measured, or why it could not be. */
export type Outcome = { figures: Figures; fault?: undefined } | { fault: string }

/**
 * Measures loads in turn, round after round, each between two slices of the bare echo: what else
 * the machine does meanwhile slows both, and a slow minute does not fall on one load alone.
 */
export async function inRounds(
  entries: readonly Entry[],
  echo: Subject,
  pace: Pace,
  say: (text: string) => void,
): Promise<Map<string, Outcome>> {
  const faults = new Map<string, string>()
  const slices = new Map<string, (Slice & { x: number })[]>()
  const attempt = async (entry: Entry, work: () => Promise<void>): Promise<void> => {
    if (faults.has(entry.name)) return
    say(entry.name)
    await twiceAtMost(work).catch((cause: unknown) => faults.set(entry.name, String(cause)))
  }
  await drive(echo, echoLoad, pace.warmUp)
  for (const entry of entries) {
    await attempt(entry, async () => {
      await once(entry.subject, entry.load)
      await warmUp(entry, pace)
    })
  }
  for (let round = 0; round < pace.rounds; round++) {
    let before = await drive(echo, echoLoad, pace.echo)
    for (const entry of entries) {
      await attempt(entry, async () => {
        const slice = await drive(entry.subject, entry.load, pace.slice)
        const after = await drive(echo, echoLoad, pace.echo)
        const x = slice.cpu / ((before.cpu + after.cpu) / 2)
        slices.set(entry.name, [...(slices.get(entry.name) ?? []), { ...slice, x }])
        before = after
      })
    }
  }
  return new Map(
    entries.map(({ name }) => {
      const fault = faults.get(name)
      return [
        name,
        fault === undefined ? { figures: figuresOf(slices.get(name) ?? []) } : { fault },
      ]
    }),
  )
}

/** Repeats failed work once: a machine that went to sleep meanwhile has cut every connection. */
export function twiceAtMost<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(work)
}

/** Until the code is compiled for what it does, which takes calls and no particular time. */
async function warmUp({ subject, load }: Entry, pace: Pace): Promise<void> {
  let requests = 0
  for (let i = 0; i < warmUpsAtMost && requests < warmRequests; i++) {
    requests += (await drive(subject, load, pace.warmUp)).requests
  }
}

function figuresOf(slices: readonly (Slice & { x: number })[]): Figures {
  const of = (pick: (slice: Slice & { x: number }) => number): number => median(slices.map(pick))
  return {
    x: of((slice) => slice.x),
    cpu: of((slice) => slice.cpu),
    p50: of((slice) => slice.p50),
    p99: of((slice) => slice.p99),
    aSecond: of((slice) => slice.requests / slice.seconds),
  }
}
