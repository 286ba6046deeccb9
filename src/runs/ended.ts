import type { StoredRun, Run } from './run.ts'
import type { StoredPost } from '#src/feed/post.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Write } from '#src/ports/store.ts'
import type { Ports } from '#src/core/context.ts'

/** A run that is about to end. */
export interface Ended {
  /** The run after its end. */
  run: StoredRun
  /** Undefined if it was deleted meanwhile. */
  task: StoredTask | undefined
  outcome: Outcome
  now: Date
  /** It is accepted and ended in one commit, so no one has seen it begin. */
  atOnce?: true
  /** The agent's post about it. */
  post?: StoredPost | undefined
}

/** A consequence of the end of a run: writes for the commit of its outcome. */
export type Consequence = (ports: Ports, ended: Ended) => Promise<Write[]> | Write[]

/** How a run ended. */
export type Outcome =
  | {
      status: 'completed'
      output: unknown
      artifacts?: Run['artifacts']
      usage?: Run['usage']
      reason?: string
      /** It was held to the schema of its task. */
      isHeld?: true
    }
  | {
      status: 'failed' | 'timed_out' | 'cancelled' | 'abandoned'
      error: Run['error']
      reason?: string | null
      usage?: Run['usage']
      /** The number of attempts, if the last claim does not count as one. */
      attempt?: number
    }

/** A run's end as one commit: the ended run, and the writes with all consequences. */
export interface Ending {
  run: StoredRun
  writes: Write[]
  /** The bytes of its results, if its other bytes were counted before it ended. */
  bytes: number
  /** Runs that end with it, in the same writes: the run that waits for it, and its open steps. */
  also: Ending[]
}

declare module '#src/core/context.ts' {
  interface Ports {
    /** All consequences of the end of a run. */
    consequencesOf: (ports: Ports, ended: Omit<Ended, 'post'>) => Promise<Write[]>
  }
}
