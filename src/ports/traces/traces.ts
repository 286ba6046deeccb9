/** What is told of a step: never contents, and no secrets. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>

/** A step of a trace. */
export interface Step {
  /** From a fixed set of words, such as `run` or the name of an operation. */
  name: string
  /** Whether it answers someone outside, asks someone outside, goes on with what was queued, or neither. */
  kind: 'server' | 'client' | 'consumer' | 'internal'
  facts: Facts
  /** The trace that was kept with what it is about, if there is any; where it is left out, what is under way. */
  of?: string | undefined
  /**
   * A text that no other step has. Of it and of the trace the step's own id is made, so that it can be named before it
   * is told of: see `ahead`.
   */
  as?: string | undefined
  /** When it began, as a timestamp of this machine's clock, where that was before now. */
  begun?: string | undefined
}

/** Tells more of a step while it is under way; `failed` is a fixed word. */
export type Tell = (facts: Facts, failed?: string) => void

/** Traces of what is caused by a request, over processes and over those of others. */
export interface Traces {
  /** Does the work as a step of a trace. */
  step<T>(step: Step, work: (tell: Tell) => Promise<T>): Promise<T>
  /** Does what belongs to no trace, although it is begun in one. */
  apart<T>(work: () => T): T
  /** The trace that is under way, to be kept with what goes on later. */
  kept(): string | undefined
  /**
   * Names a step that is told of later, in whichever process, with the same `of` and `as`: what others do meanwhile can
   * so be a part of it. @returns a `traceparent`; undefined where nothing is traced, or no trace was kept
   */
  ahead(of: string | undefined, as: string): string | undefined
}

/** Nothing is traced. */
export const noTraces: Traces = {
  step: (_, work) => work(() => undefined),
  apart: (work) => work(),
  kept: () => undefined,
  ahead: () => undefined,
}
