import type { Ports } from '#src/core/context.ts'
import type { Source } from '#src/core/text/untrusted.ts'
import type { Write } from '#src/ports/store.ts'
import { newRun } from '../new-run.ts'
import { counted, depthAtMost, runsARoot } from '../ending/handoff.ts'
import { runOf } from './message.ts'
import type { Run, StoredRun } from '../run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { EventCause, PlatformEvent } from '#src/events/event.ts'

/**
 * Why a run is recorded and not started where what set it off has gone on for too long, or where the
 * hook or trigger that would start it has fired in its chain before.
 */
export type ChainReason = 'loop' | 'chain_depth' | 'chain_runs'

/** What fires: a hook of an agent, or an event or webhook trigger of a task. */
export type Firing = 'hook' | 'event' | 'webhook'

/** Why a run was skipped where every further one would be. */
const final: ReadonlySet<string | null> = new Set(['chain_depth', 'chain_runs', 'quota'])

/** Whether what a run was skipped for stops all that come after it too. */
export function stopsAll({ status, reason }: Pick<StoredRun, 'status' | 'reason'>): boolean {
  return status === 'skipped' && final.has(reason)
}

type Needed = Pick<Ports, 'store' | 'quotas' | 'models'>

/** Starts the runs that one event sets off, within the bounds of the chain that brought it about. */
export class Chain {
  readonly #ports: Needed
  readonly #cause: EventCause | null
  readonly #type: string
  readonly #sender: string | undefined
  readonly #source: Source | undefined
  readonly #hasRoot: boolean
  readonly #isTooDeep: boolean
  #room: number
  #started = 0

  private constructor(
    ports: Needed,
    { type, cause, sender, source }: Pick<PlatformEvent, 'type' | 'cause' | 'sender' | 'source'>,
    root: StoredRun | undefined,
  ) {
    this.#ports = ports
    this.#type = type
    this.#cause = cause
    this.#sender = sender
    this.#source = source
    this.#hasRoot = root !== undefined
    this.#isTooDeep = cause !== null && cause.depth + 1 > depthAtMost
    this.#room = cause === null ? Infinity : runsARoot - (root?.family ?? 1)
  }

  /** The chain as it now stands; one without a cause begins here and has no bounds of its own. */
  static async of(
    ports: Needed,
    event: Pick<PlatformEvent, 'type' | 'cause' | 'sender' | 'source'>,
  ): Promise<Chain> {
    const { cause } = event
    const root = cause ? await ports.store.runs.get(cause.root_run_id) : undefined
    return new Chain(ports, event, root)
  }

  /** A run of the task: queued, or recorded as skipped with the reason. */
  async run(
    task: StoredTask,
    by: Firing,
    { trigger, input }: { trigger: Run['trigger']; input: unknown },
    now: Date,
  ): Promise<StoredRun> {
    const firedBy = `${by} ${this.#type} ${task.id}`
    const from = { sender: this.#sender, source: this.#source }
    const start = { trigger, input, firedBy, parent: this.#cause ?? undefined, ...from }
    const bound = this.#bound(firedBy)
    if (bound) return newRun(task, { ...start, skipped: bound }, now)
    const run = await runOf(this.#ports, task, start, now)
    if (run.status === 'queued') this.#started += 1
    return run
  }

  #bound(firedBy: string): ChainReason | undefined {
    if (this.#cause?.fired?.includes(firedBy)) return 'loop'
    if (this.#isTooDeep) return 'chain_depth'
    return this.#started >= this.#room ? 'chain_runs' : undefined
  }

  /**
   * Counts what was started in the first run of the chain, in the same commit: of two that would
   * pass the bound together one fails (`Unmet`) and decides again.
   */
  writes(): Write[] {
    return this.#cause && this.#hasRoot ? counted(this.#cause, this.#started) : []
  }
}
