/** One thing that a client is tried with: it throws when what comes is not what should. */
export interface Trial {
  name: string
  play: () => Promise<void>
  /** Why it fails by intention; a pass of it is a fault too. */
  expected?: string
}

/** A client in one way of using it, at one door. */
export interface Client {
  name: string
  version: string
  mode: string
  door: string
  trials: readonly Trial[]
}

/** @param work that is tried; the names of trials are kept in the report */
export function trial(name: string, play: () => Promise<void>): Trial {
  return { name, play }
}
