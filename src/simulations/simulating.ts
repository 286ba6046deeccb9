import type { Owner } from '#src/core/quotas.ts'
import { timestamp } from '#src/core/time.ts'
import type { Ports } from '#src/core/context.ts'
import type { Rhythm } from '#src/schedules/heart.ts'
import { nextFires, scheduleOf, type Fire, type Schedule } from '#src/schedules/schedule.ts'
import { reasonOf } from '#src/schedules/skipping.ts'
import type { SkipReason } from '#src/schedules/slot.ts'
import { skippedBecause } from '#src/schedules/words.ts'
import type { StoredTask } from '#src/tasks/task.ts'
import type { Simulation, SimulatedSkip } from './answer.ts'
import { Cast } from './cast.ts'
import { chainOf, type Link } from './chain.ts'
import { handoffWords } from './words.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How many of each kind are told one by one. */
const toldAtMost = 500
/** A simulation ends early after this many fires and handoffs: a second or so of work. */
const stepsAtMost = 500_000
/** It lets others go on after this long. */
const restsAfterMs = 5

/** A task with everything that decides on its fires. */
export interface Player {
  task: StoredTask
  rhythm: Rhythm
}

export interface Span {
  /** Milliseconds since the epoch. */
  from: number
  to: number
}

type Needed = Pick<Ports, 'store' | 'clock' | 'quotas'>

/**
 * Plays the schedules of tasks on a clock of its own, with no effect outside. Every run is taken to
 * succeed at once, so that none stands in the way of the next.
 */
export async function simulated(
  ports: Needed,
  players: readonly Player[],
  span: Span,
  owner: Owner,
  signal?: AbortSignal,
): Promise<Simulation> {
  const play = new Play(ports, players, span, owner)
  return play.run(signal)
}

/** A task that fires on, and the next of its fires. */
interface Turn extends Player {
  schedule: Schedule
  next: Fire[]
  /** The one skip that stands for all, where the task never fires. */
  silent?: SimulatedSkip
}

class Play {
  readonly #ports: Needed
  readonly #players: readonly Player[]
  readonly #span: Span
  readonly #owner: Owner
  readonly #cast: Cast
  readonly #chains = new Map<string, Promise<Link[]>>()
  readonly #told: Simulation
  #day = Number.NaN
  #runsToday = 0
  #steps = 0
  #rested: number

  constructor(ports: Needed, players: readonly Player[], span: Span, owner: Owner) {
    this.#ports = ports
    this.#players = players
    this.#span = span
    this.#owner = owner
    this.#cast = new Cast(ports.store)
    this.#rested = ports.clock.monotonic()
    this.#told = {
      from: timestamp(new Date(span.from)),
      to: timestamp(new Date(span.to)),
      tasks: players.length,
      fires: [],
      skips: [],
      handoffs: [],
      counts: { fires: 0, skips: {}, handoffs: {}, runs: 0 },
      complete: true,
    }
  }

  async run(signal: AbortSignal | undefined): Promise<Simulation> {
    const { from, to } = this.#span
    const turns = this.#turns(from)
    for (let hour = from; hour < to; hour += hourMs) {
      const until = Math.min(to, hour + hourMs)
      const due = turns.flatMap((turn) => this.#upTo(turn, until).map((fire) => ({ turn, fire })))
      due.sort((a, b) => a.fire.firesAt - b.fire.firesAt)
      for (const { turn, fire } of due) await this.#decide(turn, fire)
      if (until < to && (this.#steps > stepsAtMost || signal?.aborted)) {
        this.#told.to = timestamp(new Date(until))
        this.#told.complete = false
        break
      }
      await this.#rest()
    }
    return this.#told
  }

  #turns(from: number): Turn[] {
    return this.#players.flatMap((player) => {
      const schedule = scheduleOf(player.task, player.rhythm.heartbeat)
      return schedule ? [{ ...player, schedule, next: nextFires(schedule, from - 1) }] : []
    })
  }

  #upTo(turn: Turn, until: number): Fire[] {
    const fires: Fire[] = []
    for (let first = turn.next[0]; first && first.firesAt < until; first = turn.next[0]) {
      fires.push(...turn.next)
      turn.next = nextFires(turn.schedule, first.firesAt)
    }
    return fires
  }

  async #decide(turn: Turn, fire: Fire): Promise<void> {
    const { task, schedule, rhythm } = turn
    this.#steps += 1
    const reason = reasonOf(task, schedule, fire, rhythm.timezone)
    if (reason) return this.#skip(turn, fire, reason)
    this.#turnOfDay(fire.firesAt)
    if (!this.#takeRun(task.owner_id)) return this.#skip(turn, fire, 'quota')
    const { counts, fires } = this.#told
    counts.fires += 1
    if (fires.length < toldAtMost) fires.push({ ...placeOf(task), ...timesOf(fire) })
    const chain = this.#chains.get(task.id) ?? chainOf(this.#cast, task)
    this.#chains.set(task.id, chain)
    this.#handOn(await chain, timestamp(new Date(fire.firesAt)))
  }

  #handOn(chain: readonly Link[], at: string): void {
    const { counts, handoffs } = this.#told
    this.#steps += chain.length
    // What the quota keeps from running hands nothing on.
    const still = new Set<string>()
    for (const { runOf, ...link } of chain) {
      if (link.depth > 1 && still.has(keyOf(link.from, link.depth - 1))) continue
      const isFull = runOf !== null && !this.#takeRun(runOf)
      const told = isFull ? ({ ...link, outcome: 'skipped', reason: 'quota' } as const) : link
      if (isFull) still.add(keyOf(link.to, link.depth))
      counts.handoffs[told.outcome] = (counts.handoffs[told.outcome] ?? 0) + 1
      if (handoffs.length >= toldAtMost) continue
      handoffs.push({ at, ...told, message: handoffWords(told.reason) })
    }
  }

  #skip(turn: Turn, fire: Fire, reason: SkipReason): void {
    const { counts, skips } = this.#told
    counts.skips[reason] = (counts.skips[reason] ?? 0) + 1
    if (turn.silent) {
      turn.silent.to = timestamp(new Date(fire.at))
      turn.silent.count += 1
      return
    }
    if (skips.length >= toldAtMost) return
    const { task, rhythm } = turn
    const message = skippedBecause(reason, task, rhythm.timezone)
    const times = timesOf(fire)
    const skip = { ...placeOf(task), ...times, reason, message, to: null, count: 1 }
    skips.push(skip)
    // A task that is off would fill the list with what one line says.
    if (reason === 'task_disabled' || reason === 'autonomy_manual') turn.silent = skip
  }

  /** The quota begins anew with each day. */
  #turnOfDay(time: number): void {
    const day = Math.floor(time / dayMs)
    if (day !== this.#day) this.#runsToday = 0
    this.#day = day
  }

  /** Whether there is room for one more run; other accounts' runs count against theirs. */
  #takeRun(ownerId: string): boolean {
    if (ownerId === this.#owner.accountId) {
      if (this.#runsToday >= this.#ports.quotas.limitOf('runs_a_day', this.#owner)) return false
      this.#runsToday += 1
    }
    this.#told.counts.runs += 1
    return true
  }

  async #rest(): Promise<void> {
    const { clock } = this.#ports
    if (clock.monotonic() - this.#rested < restsAfterMs) return
    await clock.sleep(0)
    this.#rested = clock.monotonic()
  }
}

function placeOf({ char_id, task_id }: StoredTask) {
  return { char_id, task_id }
}

function timesOf({ at, firesAt, trigger }: Fire) {
  return { at: timestamp(new Date(at)), fires_at: timestamp(new Date(firesAt)), trigger }
}

function keyOf(place: { char_id: string; task_id: string | null }, depth: number): string {
  return `${place.char_id}/${place.task_id} ${depth}`
}
