import type { TurnUsage } from '#src/ports/model.ts'
import type { Hold, Leased, PurgedKind } from '#src/ports/meter.ts'

/** The counters of this process; all of them do nothing unless the operator has switched metrics on. */
export interface Metrics {
  /**
   * One answered request. The operation is a name from the catalog, or a fixed word if none was meant: never a value
   * that a caller made up.
   */
  request(door: Door, operation: string, seconds: number, ended: Ended): void
  /** A refusal, also of a request that meant no operation. */
  refused(operation: string, refusal: Ended): void
  /** A run that ended with this status. */
  runEnded(status: string): void
  /** The event loop was blocked for more than 10 ms. */
  held(hold: Hold): void
  /** Things of one kind that were purged after their retention time. */
  purged(kind: PurgedKind, count: number): void
  /** So many runs are worked on by this process now. */
  slotsTaken(count: number): void
  /** Someone held a run and let the time for it run out. */
  leaseExpired(by: Leased): void
  /** A call of the store, and whether it failed. */
  stored(kind: StoreCall, seconds: number, fault: StoreFault | undefined): void
  /** A turn of a model. */
  modelTurn(turn: ModelTurn): void
  /**
   * A fact that is read whenever the metrics are, so reading it has to be cheap. @param over what several
   * processes have is added up, or it is the same in all of them
   */
  gauge(name: string, help: string, read: () => number, over?: Over): void
  /** Facts by labels that are found out now and then, and shown as they were found; at first 0. */
  facts<L extends string>(fact: Fact<L>): (labels: Record<L, string>, value: number) => void
  /** Something that the server needs has gone away: the store, a provider of models, the mail server. */
  outage(service: string): void
  /** The page for Prometheus. */
  text(): Promise<string>
  /** The same as values, to be added up with those of other processes. */
  figures(): Promise<Figures>
  /** The media type of that page. */
  readonly contentType: string
}

/** Whether a figure of several processes is their sum, or the highest of them. */
export type Over = 'sum' | 'max'

/** Facts of one name: with each of these labels they are there from the first page on. */
export interface Fact<L extends string> {
  name: string
  help: string
  labels: readonly L[]
  first: readonly Record<L, string>[]
  over: Over
}

export const storeCalls = ['read', 'write', 'commit', 'search'] as const
export type StoreCall = (typeof storeCalls)[number]

export const storeFaults = ['unavailable', 'outcome_unknown', 'full', 'fault'] as const
export type StoreFault = (typeof storeFaults)[number]

/** What a turn of a model took and cost. */
export interface ModelTurn {
  provider: string
  /** `ok`, a fault of the provider, or `stopped`. */
  outcome: string
  seconds: number
  usage: TurnUsage | undefined
  /** Undefined where its price is unknown. */
  nanos: number | undefined
}

/** How a request ended: by a code of the contract where it was refused, else `ok`. */
export interface Ended {
  readonly status: number
  readonly code: string
}

/** What a process counts and measures. */
export type Figures = readonly Figure[]

/** One metric with the values of all its labels. */
export interface Figure {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary'
  /** How the values of several processes become one. */
  readonly aggregator: 'sum' | 'first' | 'min' | 'max' | 'average' | 'omit'
  readonly values: readonly {
    readonly labels: Readonly<Record<string, string | number>>
    readonly value: number
  }[]
}

export type Door = 'rest' | 'mcp' | 'a2a'
