import type { Owner } from '#src/core/counts/quota-table.ts'
import { Slices } from '#src/core/turns/slices.ts'
import { timestamp } from '#src/core/time.ts'
import type { Ports } from '#src/core/context.ts'
import type { Rhythm } from '../schedules/rhythm.ts'
import {
  nextFires,
  scheduleOf,
  type Fire,
  type Schedule,
} from '#src/agents/tasks/schedule/schedule.ts'
import { localTimesOf } from '../schedules/outlook.ts'
import { lastFireOf, reasonOf } from '../schedules/skip-reason.ts'
import type { SkipReason } from '../schedules/slot.ts'
import { skippedBecause } from '../schedules/words.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Simulation, SimulatedSkip } from './answer.ts'
import { Agenda, type Entry } from './agenda.ts'
import { Cast } from './cast.ts'
import { chainOf, type Link } from './chain.ts'
import { handoffWords } from './words.ts'

const dayMs = 86_400_000
/** How many of each kind are told one by one. */
const toldAtMost = 500
/** A simulation ends early after this many steps: a second or so of work. */
const stepsAtMost = 1_500_000
/** A pattern that was not read before takes so many times the work of a step. */
const stepsOfPattern = 16

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

/** A task that fires on, and the next of its fires, all at one moment. */
interface Turn extends Player, Entry {
  schedule: Schedule
  next: Fire[]
  /** When the schedule named the last fire that came; NaN before the first. */
  last: number
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
  readonly #slices: Slices

  constructor(ports: Needed, players: readonly Player[], span: Span, owner: Owner) {
    this.#ports = ports
    this.#players = players
    this.#span = span
    this.#owner = owner
    this.#cast = new Cast(ports)
    this.#slices = new Slices(ports.clock)
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
    const { to } = this.#span
    const agenda = await this.#agenda()
    for (let turn = agenda.first; turn && turn.at < to; turn = agenda.first) {
      if (this.#steps > stepsAtMost || signal?.aborted) {
        this.#told.to = timestamp(new Date(turn.at))
        this.#told.complete = false
        break
      }
      for (const fire of turn.next) await this.#decide(turn, fire)
      turn.next = nextFires(turn.schedule, turn.at)
      await this.#spend(costOf(turn.schedule))
      const [first] = turn.next
      if (first) turn.at = first.firesAt
      if (first && turn.at < to) agenda.settle()
      else agenda.drop()
    }
    return this.#told
  }

  async #agenda(): Promise<Agenda<Turn>> {
    const { from } = this.#span
    const agenda = new Agenda<Turn>()
    for (const [position, player] of this.#players.entries()) {
      const schedule = scheduleOf(player.task, player.rhythm.heartbeat)
      await this.#spend(1 + player.task.triggers.length * stepsOfPattern)
      if (!schedule) continue
      const next = nextFires(schedule, from - 1)
      const [first] = next
      const last = lastFireOf(player.task)
      if (first) agenda.add({ ...player, position, schedule, next, last, at: first.firesAt })
      await this.#spend(costOf(schedule))
    }
    return agenda
  }

  async #decide(turn: Turn, fire: Fire): Promise<void> {
    const { task, schedule, rhythm } = turn
    await this.#spend(task.skip_next_run_at ? costOf(schedule) : 1)
    const reason = reasonOf(task, schedule, fire, rhythm.timezone, turn.last)
    if (reason) return this.#skip(turn, fire, reason)
    this.#turnOfDay(fire.firesAt)
    if (!this.#takeRun(task.owner_id)) return this.#skip(turn, fire, 'quota')
    turn.last = fire.at
    const { counts, fires } = this.#told
    counts.fires += 1
    if (fires.length < toldAtMost) fires.push({ ...placeOf(task), ...timesOf(fire) })
    const chain = this.#chains.get(task.id) ?? chainOf(this.#cast, task)
    this.#chains.set(task.id, chain)
    await this.#handOn(await chain, timestamp(new Date(fire.firesAt)))
  }

  async #handOn(chain: readonly Link[], at: string): Promise<void> {
    const { counts, handoffs } = this.#told
    // What the quota keeps from running hands nothing on.
    const still = new Set<string>()
    for (const { runOf, ...link } of chain) {
      await this.#spend(1)
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

  /** The quota starts again each day. */
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

  /** Counts steps; after some of them others are to go on before the next. */
  #spend(steps: number): Promise<void> | undefined {
    this.#steps += steps
    return this.#slices.isSpent(steps) ? this.#slices.rest() : undefined
  }
}

/** Every pattern of a schedule is looked at for each of its fires. */
function costOf({ tables }: Schedule): number {
  return 1 + tables.length
}

function placeOf({ char_id, task_id }: StoredTask) {
  return { char_id, task_id }
}

function timesOf(fire: Fire) {
  const { at, firesAt, trigger } = fire
  const times = { at: timestamp(new Date(at)), fires_at: timestamp(new Date(firesAt)), trigger }
  return { ...times, ...localTimesOf(fire) }
}

function keyOf(place: { char_id: string; task_id: string | null }, depth: number): string {
  return `${place.char_id}/${place.task_id} ${depth}`
}
