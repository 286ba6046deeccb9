import type { StoredRun, Run } from './run.ts'
import type { StoredPost } from '#src/feed/post.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Write } from '#src/ports/store.ts'
import type { Ports } from '#src/core/context.ts'

/** A run that is about to end. */
export interface Ended {
  /** As it will be. */
  run: StoredRun
  /** Undefined where it has been deleted since. */
  task: StoredTask | undefined
  outcome: Outcome
  now: Date
  /** It is accepted and ended in one commit: nobody has seen it begin. */
  atOnce?: true
  /** What the agent posts of it. */
  post?: StoredPost | undefined
}

/** Something that the end of a run sets going: writes that go into the commit of its outcome. */
export type Consequence = (ports: Ports, ended: Ended) => Promise<Write[]> | Write[]

/** How a run ended. */
export type Outcome =
  | {
      status: 'completed'
      output: unknown
      artifacts?: Run['artifacts']
      usage?: Run['usage']
      reason?: string
    }
  | {
      status: 'failed' | 'timed_out' | 'cancelled' | 'abandoned'
      error: Run['error']
      reason?: string | null
      usage?: Run['usage']
      /** Where the last claim was no attempt any more. */
      attempt?: number
    }

/** A run's end as one commit: the run as it then is, and the writes with what they set going. */
export interface Ending {
  run: StoredRun
  writes: Write[]
  /** What it brought, where it was counted before it ended. */
  bytes: number
  /** Runs that end with it, in the same writes: those that waited for it, and its open steps. */
  also: Ending[]
}

declare module '#src/core/context.ts' {
  interface Ports {
    /** What the end of a run sets going. */
    consequencesOf: (ports: Ports, ended: Omit<Ended, 'post'>) => Promise<Write[]>
  }
}
