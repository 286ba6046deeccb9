import { heldAtGate } from '#src/runs/approvals/gate.ts'
import { heldForSecrets } from '#src/runs/approvals/secret-origin.ts'
import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { tellBeginning } from '#src/runs/ending/run-events.ts'
import {
  attemptsAtMost,
  attemptsUsed,
  extend,
  handBack,
  handBackBegun,
  isTakenOver,
  workerBeatSeconds,
  workerLeaseSeconds,
} from '#src/runs/claim.ts'
import { runEvent } from '#src/runs/events.ts'
import { RunFailure } from '#src/runs/failure.ts'
import { tellingOf } from '#src/runs/noter.ts'
import { failedOutcome, instantOutcome } from '#src/runs/ending/instant.ts'
import type { Outcome } from '#src/runs/ended.ts'
import { end } from '#src/runs/ending/end-run.ts'
import { heldOutcome, patient } from '#src/runs/output/held-output.ts'
import type { StoredRun } from '#src/runs/run.ts'
import { requeueSilent } from '#src/runs/leases/requeue.ts'
import { runStep } from '#src/runs/leases/step.ts'
import { park, Parking } from '#src/runs/ending/park.ts'
import { workingRuntime } from '#src/runs/runtimes/registry.ts'
import { hasRoom, settlePlaces } from '#src/runs/concurrency.ts'
import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import { scrubbedCause, scrubOf } from '#src/runs/ending/scrub.ts'
import type { Filter } from '#src/ports/filter.ts'
import { Unavailable } from '#src/ports/store.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { leasedTooLong, noAgentCame, stepsTooLong, taskDeleted, workerLost } from './outcomes.ts'
import { RunTurns, type Worked } from './turns/run-turns.ts'

/** How many due runs a tick looks at. */
const dueAtOnce = 64
/** How often to look for runs that wait although their account has a free place. */
const placesEveryMs = 10_000

/** Carries out the runs that wait for one of our workers, up to a number at once. */
export interface Runner {
  /** That many runs may be due, of this account or of whichever the store tells. */
  wake(count: number, ownerId?: string): void
  /** Looks for due runs, also those that a crashed worker or a silent agent left. */
  tick(now: Date): Promise<number>
  /** Takes no more; what is under way goes on. */
  rest(): void
  /** Takes no more; resolves when what is under way has ended, or that time is over. */
  settle(milliseconds: number): Promise<void>
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
  readonly #turns: RunTurns
  readonly #interrupting = new Set<AbortController>()
  #isStopping = false
  #placesSettledAt = Number.NEGATIVE_INFINITY
  #placesSettledTo = ''

  constructor(ports: Ports, slots: number) {
    this.#ports = ports
    this.#turns = new RunTurns(ports, slots, (run) => this.#work(run))
  }

  wake(count: number, ownerId?: string): void {
    this.#turns.wake(count, ownerId)
  }

  async tick(): Promise<number> {
    await this.#turns.look()
    await this.#settlePlaces()
    const over = await this.#over()
    await Promise.all(
      over.map((run) =>
        this.#ports.traces.step(runStep(run), () =>
          run.waits_for === 'brain' ? this.#settleSilent(run) : this.#end(run, stepsTooLong),
        ),
      ),
    )
    return over.length
  }

  rest(): void {
    this.#turns.rest()
  }

  async settle(milliseconds: number): Promise<void> {
    const over = new AbortController()
    const { clock } = this.#ports
    await Promise.race([
      this.#turns.stop(),
      clock.sleep(milliseconds, over.signal).catch(() => undefined),
    ])
    over.abort()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const one of this.#interrupting) one.abort(stopped)
    await this.#turns.stop()
  }

  /** Runs that have waited too long: for an agent, or for the steps that they have started. */
  async #over(): Promise<StoredRun[]> {
    const { store } = this.#ports
    const now = timestamp(await store.now())
    const leases = timestamp(await store.leaseTime())
    const oldest = { sort: { due_at: 1 }, limit: dueAtOnce } as const
    const silent: Filter<StoredRun> = {
      waits_for: 'brain',
      due_at: { $lte: now > leases ? now : leases },
      $or: [
        { status: 'queued', due_at: { $lte: now } },
        { status: 'running', due_at: { $lte: leases } },
      ],
    }
    const late = { waits_for: 'steps', due_at: { $lte: now } } as const
    return [...(await store.runs.find(silent, oldest)), ...(await store.runs.find(late, oldest))]
  }

  async #settlePlaces(): Promise<void> {
    const monotonic = this.#ports.clock.monotonic()
    if (monotonic - this.#placesSettledAt < placesEveryMs) return
    this.#placesSettledAt = monotonic
    const { given, after } = await settlePlaces(this.#ports, this.#placesSettledTo)
    this.#placesSettledTo = after
    for (const { owner, places } of given) this.wake(places, owner)
  }

  async #work(run: StoredRun): Promise<Worked> {
    if (this.#isStopping) return this.#giveBack(run)
    this.#ports.waiting.tell(run.id)
    if (isTakenOver(run)) this.#ports.meter.leaseExpired('worker')
    if (attemptsUsed(run) > attemptsAtMost) return this.#end(run, workerLost)
    if (run.attempt > 1) {
      const insert = runEvent(run.id, 'run.retried', this.#ports.clock.now(), {
        attempt: run.attempt,
      })
      await this.#ports.store.run_events.insert(insert)
    }
    if (!(await hasRoom(this.#ports, run))) return this.#park(run)
    const task = await taskOf(this.#ports.store, run)
    if (!task) return this.#end(run, taskDeleted)
    const outcome = await this.#outcomeOf(run, task)
    if (outcome === lost) return undefined
    if (outcome instanceof Parking) {
      await park(this.#ports, run, outcome)
      return undefined
    }
    if (outcome === stopped) return handBackBegun(this.#ports, run)
    return this.#end(run, outcome, task)
  }

  async #outcomeOf(run: StoredRun, task: StoredTask): Promise<Outcome | Parking | Interrupted> {
    const held = await heldAtGate(this.#ports, run, task)
    if (held) return held
    const unsaid = await heldForSecrets(this.#ports, run, task)
    if (unsaid) return unsaid
    await tellBeginning(this.#ports, run)
    const atOnce = instantOutcome(run, task)
    if (atOnce) return atOnce
    // Of what a run is given while it works, nothing may show from then on.
    const scrubNow = (): Promise<Scrub> => scrubOf(this.#ports, task)
    await scrubNow()
    const interrupting = new AbortController()
    this.#interrupting.add(interrupting)
    const done = new AbortController()
    try {
      if (this.#isStopping) return stopped
      const runtime = workingRuntime(task.runtime)
      if (!runtime) throw new RunFailure('runtime_changed', 'The task has another runtime now.')
      void this.#keepClaim(run, done.signal, interrupting)
      const { signal } = interrupting
      const ports = patient(this.#ports, signal)
      const telling = tellingOf(ports, run.id, scrubNow)
      const result = await runtime({ run, task, ports, signal, ...telling })
      if (result instanceof Parking) return result
      // While the claim is kept: the check may have to wait.
      return await heldOutcome(ports, task, { status: 'completed', ...result })
    } catch (cause) {
      if (interrupting.signal.aborted) return endOf(interrupting.signal.reason)
      if (cause instanceof RunFailure) return failedOutcome(cause)
      if (cause instanceof Unavailable) throw cause
      const clean = scrubbedCause(cause, await scrubNow())
      const fields = { run_id: run.id, runtime: task.runtime, cause: clean }
      this.#ports.log.error('a runtime failed', fields)
      const message = 'The server failed at this run.'
      return { status: 'failed', error: { code: 'internal_error', message } }
    } finally {
      done.abort(true)
      this.#interrupting.delete(interrupting)
    }
  }

  /** Extends the claim while the work goes on; aborts it when the claim is lost or the time is up. */
  async #keepClaim(
    run: StoredRun,
    done: AbortSignal,
    interrupting: AbortController,
  ): Promise<void> {
    let { claim } = run
    void this.#watchClaim(run, done, interrupting)
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

  /** Looks at the claim whenever this process ends the run, and at every event of the run. */
  async #watchClaim(
    { id, owner_id, claim }: StoredRun,
    done: AbortSignal,
    interrupting: AbortController,
  ): Promise<void> {
    const told = (): Promise<boolean> => this.#ports.waiting.until(id, 86_400_000, done)
    // Registered before looking, so that nothing is missed in between.
    for (let next = told(); await next;) {
      next = told()
      try {
        const [now] = await this.#ports.store.runs.find({ id, owner_id }, { limit: 1 })
        if (now?.claim?.token !== claim?.token) interrupting.abort(lost)
      } catch (cause) {
        this.#ports.log.warn('a claim could not be looked at', { run_id: id, cause })
      }
    }
  }

  async #giveBack(run: StoredRun): Promise<undefined> {
    const due_at = timestamp(await this.#ports.store.now())
    await handBack(this.#ports, run, { due_at, reason: null, waits_for: 'worker' })
  }

  /** The places of the account are taken: an end of one of its runs lets this one go on. */
  async #park(run: StoredRun): Promise<Worked> {
    // In the order in which they came.
    const due_at = run.created_at
    await handBack(this.#ports, run, { due_at, reason: 'concurrency', waits_for: 'room' })
    return 'no room'
  }

  async #end(run: StoredRun, outcome: Outcome, task?: StoredTask): Promise<undefined> {
    await end(patient(this.#ports), run, outcome, task)
  }

  /** A run that waited too long for an agent, or whose agent let its lease run out. */
  async #settleSilent(run: StoredRun): Promise<void> {
    const now = timestamp(await this.#ports.store.leaseTime())
    if (!run.claim) return void (await end(this.#ports, run, noAgentCame))
    if (run.claim.until > now) return
    const isLast = attemptsUsed(run) >= attemptsAtMost
    const isTooLong = run.claim.until >= run.claim.longest
    const outcome = isTooLong ? leasedTooLong : workerLost
    const isDone =
      isTooLong || isLast
        ? (await end(patient(this.#ports), run, outcome)) !== undefined
        : await requeueSilent(this.#ports, run)
    if (isDone) this.#ports.meter.leaseExpired('agent')
  }
}

function endOf(reason: unknown): Outcome | Interrupted {
  if (reason === stopped || reason === lost) return reason
  const message = 'The run took longer than its time budget.'
  return { status: 'timed_out', error: { code: 'run_budget', message } }
}
