import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import {
  attemptsAtMost,
  claimDue,
  extend,
  handBack,
  requeued,
  workerBeatSeconds,
  workerLeaseSeconds,
} from '#src/runs/claim.ts'
import { runEvent } from '#src/runs/events.ts'
import { RunFailure } from '#src/runs/failure.ts'
import { refuseGated } from '#src/runs/gate.ts'
import { failedOutcome, instantOutcome } from '#src/runs/instant.ts'
import { brainQueue, end, type Outcome } from '#src/runs/outcome.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { park, Parking } from '#src/runs/parking.ts'
import { workingRuntime } from '#src/runs/runtimes/runtime.ts'
import { hasRoom } from '#src/runs/concurrency.ts'
import { Unavailable, Unmet } from '#src/ports/store.ts'
import { taskKey, type StoredTask } from '#src/tasks/task.ts'

/** How many due runs a tick looks at. */
const dueAtOnce = 64
/** How soon a run that found its account's places taken is looked at again, where no end frees one before. */
const parkedSeconds = 10

/** Does the runs that wait for a worker of ours, up to a number at once. */
export interface Runner {
  /** That many runs may be due. */
  wake(count: number): void
  /** Looks for due runs, also those that a crashed worker or a silent agent left. */
  tick(now: Date): Promise<number>
  /** Takes no more, and hands back what is under way. */
  stop(): Promise<void>
}

export function runner(ports: Ports, slots: number): Runner {
  return new SlotRunner(ports, slots)
}

const stopped = Symbol('the process stops')
const outOfTime = Symbol('the time of the run is up')
const lost = Symbol('the claim is lost')
type Interrupted = typeof stopped | typeof lost

class SlotRunner implements Runner {
  readonly #ports: Ports
  readonly #slots: number
  readonly #interrupting = new Set<AbortController>()
  #isStopping = false
  readonly #active = new Set<Promise<void>>()
  #wakes = 0

  constructor(ports: Ports, slots: number) {
    this.#ports = ports
    this.#slots = slots
  }

  wake(count: number): void {
    this.#wakes = Math.min(this.#wakes + count, this.#slots * 64)
    while (this.#wakes > 0 && this.#active.size < this.#slots && !this.#isStopping) {
      this.#wakes -= 1
      const working = this.#workOff().finally(() => {
        this.#active.delete(working)
        if (this.#wakes > 0) this.wake(0)
      })
      this.#active.add(working)
    }
  }

  async tick(): Promise<number> {
    const { store } = this.#ports
    const now = (await store.now()).toISOString()
    const due = await store.runs.find(
      { due_at: { $lte: now } },
      { sort: { due_at: 1 }, limit: dueAtOnce },
    )
    const silent = due.filter((run) => run.waits_for === 'brain')
    for (const run of silent) await this.#settleSilent(run)
    if (due.length > silent.length) this.wake(due.length - silent.length)
    return silent.length
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const one of this.#interrupting) one.abort(stopped)
    await Promise.all(this.#active)
  }

  /** One slot: a claim, its work, and the next claim while there may be more. */
  async #workOff(): Promise<void> {
    try {
      for (;;) {
        const run = await claimDue(this.#ports)
        if (!run) return
        await this.#work(run)
        if (this.#wakes === 0 || this.#isStopping) return
        this.#wakes -= 1
      }
    } catch (cause) {
      // Whatever was claimed comes due again when its lease runs out.
      this.#ports.log.error('a run could not be worked on', { cause })
    }
  }

  async #work(run: StoredRun): Promise<void> {
    if (this.#isStopping) return this.#giveBack(run)
    this.#ports.waiting.tell(run.id)
    if (run.attempt > attemptsAtMost) return this.#end(run, workerLost)
    if (run.attempt > 1) {
      const insert = runEvent(run.id, 'run.retried', this.#ports.clock.now(), {
        attempt: run.attempt,
      })
      await this.#ports.store.run_events.insert(insert)
    }
    if (!(await hasRoom(this.#ports, run))) return this.#park(run)
    const task = await this.#ports.store.tasks.get(taskKey(run.char_id, run.task_id))
    if (!task) return this.#end(run, taskDeleted)
    const outcome = await this.#outcomeOf(run, task)
    if (outcome === lost) return undefined
    if (outcome instanceof Parking) return void (await park(this.#ports, run, outcome))
    return outcome === stopped ? this.#giveBack(run) : this.#end(run, outcome, task)
  }

  async #outcomeOf(run: StoredRun, task: StoredTask): Promise<Outcome | Parking | Interrupted> {
    const atOnce = instantOutcome(run, task)
    if (atOnce) return atOnce
    const interrupting = new AbortController()
    const { signal } = interrupting
    this.#interrupting.add(interrupting)
    const done = new AbortController()
    try {
      if (this.#isStopping) return stopped
      refuseGated(task)
      const runtime = workingRuntime(task.runtime)
      if (!runtime) throw new RunFailure('runtime_changed', 'The task has another runtime now.')
      void this.#keepClaim(run, done.signal, interrupting)
      const note = this.#noter(run)
      const result = await runtime({ run, task, ports: this.#ports, signal, note })
      return result instanceof Parking ? result : { status: 'completed', ...result }
    } catch (cause) {
      if (signal.aborted) return endOf(signal.reason)
      if (cause instanceof RunFailure) return failedOutcome(cause)
      if (cause instanceof Unavailable) throw cause
      this.#ports.log.error('a runtime failed', { run_id: run.id, runtime: task.runtime, cause })
      const message = 'The server failed at this run.'
      return { status: 'failed', error: { code: 'internal_error', message } }
    } finally {
      done.abort(true)
      this.#interrupting.delete(interrupting)
    }
  }

  /** Keeps what happens during a run, and tells those who follow it. */
  #noter({ id }: StoredRun) {
    return async (type: string, data: Record<string, unknown>): Promise<void> => {
      await this.#ports.store.run_events.insert(runEvent(id, type, this.#ports.clock.now(), data))
      this.#ports.waiting.tell(id)
    }
  }

  /** Extends the claim while the work goes on; aborts it when the claim is lost or the time is up. */
  async #keepClaim(
    run: StoredRun,
    done: AbortSignal,
    interrupting: AbortController,
  ): Promise<void> {
    let { claim } = run
    const cancelled = this.#ports.waiting.until(run.id, 86_400_000, done)
    void cancelled.then((told) => told && interrupting.abort(lost))
    while (claim && !done.aborted) {
      await this.#ports.clock.sleep(workerBeatSeconds * 1000, done).catch(() => undefined)
      if (done.aborted) return
      try {
        claim = (await extend(this.#ports, run, claim, workerLeaseSeconds))?.claim ?? null
        if (!claim) interrupting.abort(lost)
        else if (claim.until >= claim.longest) interrupting.abort(outOfTime)
      } catch (cause) {
        this.#ports.log.warn('a claim could not be extended', { run_id: run.id, cause })
      }
    }
  }

  async #giveBack(run: StoredRun): Promise<void> {
    const due_at = timestamp(await this.#ports.store.now())
    await handBack(this.#ports, run, { due_at, reason: null, waits_for: 'worker' })
  }

  /** The places of the account are taken: the next end of one of its runs makes this one due. */
  async #park(run: StoredRun): Promise<void> {
    const due_at = secondsAfter(await this.#ports.store.now(), parkedSeconds)
    await handBack(this.#ports, run, { due_at, reason: 'concurrency', waits_for: 'room' })
  }

  async #end(run: StoredRun, outcome: Outcome, task?: StoredTask): Promise<void> {
    await end(this.#ports, run, outcome, task)
  }

  /** A run that waited too long for an agent, or whose agent let its lease run out. */
  async #settleSilent(run: StoredRun): Promise<void> {
    const now = (await this.#ports.store.now()).toISOString()
    if (!run.claim) await end(this.#ports, run, nobodyCame)
    else if (run.claim.until > now) return
    else if (run.attempt >= attemptsAtMost) await this.#end(run, workerLost)
    else await this.#requeue(run)
  }

  async #requeue(run: StoredRun): Promise<void> {
    const { store, clock, waiting } = this.#ports
    const insert = runEvent(run.id, 'run.lease_expired', clock.now(), { attempt: run.attempt })
    try {
      await store.commit([requeued(run).write, { in: 'run_events', insert }])
      waiting.tell(brainQueue(run.owner_id))
    } catch (cause) {
      // Its agent came back in the last moment, or another process was quicker.
      if (!(cause instanceof Unmet)) throw cause
    }
  }
}

function endOf(reason: unknown): Outcome | Interrupted {
  if (reason === stopped || reason === lost) return reason
  const message = 'The run took longer than its time budget.'
  return { status: 'timed_out', error: { code: 'run_budget', message } }
}

const workerLost: Outcome = {
  status: 'failed',
  attempt: attemptsAtMost,
  reason: 'worker_lost',
  error: {
    code: 'worker_lost',
    message: `Whoever worked on the run was lost ${attemptsAtMost} times.`,
  },
}

const taskDeleted: Outcome = { status: 'cancelled', error: null, reason: 'task_deleted' }

const nobodyCame: Outcome = {
  status: 'timed_out',
  reason: 'waiting_for_worker',
  error: { code: 'no_worker', message: 'No agent leased the run in time.' },
}
