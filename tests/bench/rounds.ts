import { drive, once, type Load, type Slice, type Subject } from './load.ts'
import { echoLoad } from './loads.ts'
import { median } from './measure.ts'
import type { Measure } from './table/target.ts'

/** A load and the server that bears it. */
export interface Entry {
  name: string
  subject: Subject
  load: Load
  /** What it is held against: each is measured next to it, round by round. */
  floors?: readonly Omit<Entry, 'floors'>[]
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

/** A load over a floor: the median of what each round gave. */
export interface Ratios extends Record<Measure, number> {
  /** The floor's own figures, measured next to this load. */
  floor: Figures
}

/** What was measured, or why it could not be. */
export type Outcome =
  | { figures: Figures; over: ReadonlyMap<string, Ratios>; fault?: undefined }
  | { fault: string }

/** A slice, with its CPU time over that of the echo around it. */
interface Weighed extends Slice {
  x: number
}

/** What one entry gave, round by round: its own slice, and those of its floors in their order. */
type Round = readonly [Weighed, ...Weighed[]]

/**
 * Measures loads in turn, round after round, each next to its floors and between two slices of the bare
 * echo: what else the machine does meanwhile slows all of them, and a slow minute does not fall on one
 * load alone.
 */
export async function inRounds(
  entries: readonly Entry[],
  echo: Subject,
  pace: Pace,
  say: (text: string) => void,
): Promise<Map<string, Outcome>> {
  const faults = new Map<string, string>()
  const rounds = new Map<string, Round[]>()
  const attempt = async (entry: Entry, work: () => Promise<void>): Promise<void> => {
    if (faults.has(entry.name)) return
    say(entry.name)
    await twiceAtMost(work).catch((cause: unknown) => faults.set(entry.name, String(cause)))
  }
  await drive(echo, echoLoad, pace.warmUp)
  const warm = new Set<string>()
  for (const entry of entries) {
    await attempt(entry, async () => {
      for (const one of [entry, ...(entry.floors ?? [])]) {
        if (warm.has(one.name)) continue
        await once(one.subject, one.load)
        await warmUp(one, pace)
        warm.add(one.name)
      }
    })
  }
  for (let round = 0; round < pace.rounds; round++) {
    for (const entry of entries) {
      await attempt(entry, async () => {
        const found = await oneRound(entry, echo, pace, round % 2 === 0)
        rounds.set(entry.name, [...(rounds.get(entry.name) ?? []), found])
      })
    }
  }
  return new Map(
    entries.map((entry) => [
      entry.name,
      outcomeOf(entry, rounds.get(entry.name) ?? [], faults.get(entry.name)),
    ]),
  )
}

/** @param isFirst whether the load goes before its floors: neither is always the one that comes later */
async function oneRound(entry: Entry, echo: Subject, pace: Pace, isFirst: boolean): Promise<Round> {
  const floors = entry.floors ?? []
  const slices = new Map<string, Slice>()
  const before = await drive(echo, echoLoad, pace.echo)
  for (const { name, subject, load } of isFirst ? [entry, ...floors] : [...floors, entry]) {
    slices.set(name, await drive(subject, load, pace.slice))
  }
  const after = await drive(echo, echoLoad, pace.echo)
  const unit = (before.cpu + after.cpu) / 2
  const weighed = ({ name }: Pick<Entry, 'name'>): Weighed => {
    const slice = slices.get(name)
    if (!slice) throw new Error(`${name} was not measured`)
    return { ...slice, x: slice.cpu / unit }
  }
  return [weighed(entry), ...floors.map(weighed)]
}

function outcomeOf(entry: Entry, rounds: readonly Round[], fault: string | undefined): Outcome {
  if (fault !== undefined) return { fault }
  const own = rounds.map(([slice]) => slice)
  const over = (entry.floors ?? []).map(({ name }, at): [string, Ratios] => {
    // Each round has a slice of every floor.
    const floor = rounds.flatMap((round) => round[at + 1] ?? [])
    return [name, ratiosOf(own, floor)]
  })
  return { figures: figuresOf(own), over: new Map(over) }
}

/** @param own slices, each measured next to the one of the floor at the same place */
export function ratiosOf(own: readonly Weighed[], floor: readonly Weighed[]): Ratios {
  const of = (pick: (slice: Weighed) => number): number =>
    median(
      own.flatMap((slice, at) => {
        const next = floor[at]
        return next ? [pick(slice) / pick(next)] : []
      }),
    )
  return {
    cpu: of(({ cpu }) => cpu),
    p99: of(({ p99 }) => p99),
    aSecond: of(aSecondOf),
    floor: figuresOf(floor),
  }
}

/** Repeats failed work once: a machine that went to sleep meanwhile has cut every connection. */
export function twiceAtMost<T>(work: () => Promise<T>): Promise<T> {
  return work().catch(work)
}

/** Until the code is compiled for what it does, which takes calls and no particular time. */
async function warmUp(
  { subject, load }: Pick<Entry, 'subject' | 'load'>,
  pace: Pace,
): Promise<void> {
  let requests = 0
  for (let i = 0; i < warmUpsAtMost && requests < warmRequests; i++) {
    requests += (await drive(subject, load, pace.warmUp)).requests
  }
}

function aSecondOf({ requests, seconds }: Slice): number {
  return requests / seconds
}

function figuresOf(slices: readonly Weighed[]): Figures {
  const of = (pick: (slice: Weighed) => number): number => median(slices.map(pick))
  return {
    x: of(({ x }) => x),
    cpu: of(({ cpu }) => cpu),
    p50: of(({ p50 }) => p50),
    p99: of(({ p99 }) => p99),
    aSecond: of(aSecondOf),
  }
}
