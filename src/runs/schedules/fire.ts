import type { Ports } from '#src/core/context.ts'
import { timestamp } from '#src/core/time.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import type { Write } from '#src/ports/store.ts'
import { newRun } from '../new-run.ts'
import type { StoredRun } from '../run.ts'
import { lacksModel } from '../runtimes/prompt/choose-model.ts'
import { hasBytesLeft, hasRunLeft } from '../skip-reason.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { caughtUp, together, type Together } from './catch-up.ts'
import { prolonged, rowToProlong } from './disabled-row.ts'
import {
  firesBetween,
  nextFires,
  scheduleOf,
  type Fire,
  type Schedule,
} from '#src/agents/tasks/schedule/schedule.ts'
import { lastFireOf, reasonOf } from './skip-reason.ts'
import { slotKey, type SkipReason, type StoredSlot } from './slot.ts'
import type { Rhythm } from './rhythm.ts'
import type { Surroundings } from './lookup-cache.ts'
import { waitingForTurn } from './turns.ts'
import { skippedBecause } from './words.ts'

/** What becomes of a task that was due: one commit. */
export interface Settlement {
  /** The first moves on the due time, bound to what was read: only the quickest process decides. */
  writes: Write[]
  /** When it is due next, RFC 3339. */
  next: string | null
  /** When the last of what is decided on comes. */
  last: string | undefined
}

type Needed = Pick<Ports, 'store' | 'quotas' | 'models'>

/**
 * Decides on every fire of a task from the time it was due until now: each comes, or is skipped for
 * a reason, and leaves a slot that says so.
 */
export async function settled(
  ports: Needed,
  task: StoredTask,
  now: Date,
  around: Surroundings,
): Promise<Settlement> {
  const rhythm = await around.rhythmOf(task)
  const schedule = scheduleOf(task, rhythm.heartbeat)
  const firing = new Firing(ports, task, now, rhythm, around)
  if (schedule) await firing.decide(schedule)
  await firing.look()
  return firing.settlement(schedule)
}

class Firing {
  readonly #ports: Needed
  readonly #task: StoredTask
  readonly #now: Date
  readonly #rhythm: Rhythm
  readonly #around: Surroundings
  readonly #slots: StoredSlot[] = []
  readonly #runs: StoredRun[] = []
  readonly #prolonging: Write[] = []
  readonly #counts: Record<string, number> = {}
  #isFull = false
  #last: number

  constructor(ports: Needed, task: StoredTask, now: Date, rhythm: Rhythm, around: Surroundings) {
    this.#ports = ports
    this.#task = task
    this.#now = now
    this.#rhythm = rhythm
    this.#around = around
    this.#last = lastFireOf(task)
  }

  async decide(schedule: Schedule): Promise<void> {
    const due = Date.parse(this.#task.due_at ?? '')
    const now = this.#now.getTime()
    const until = this.#task.enabled ? Date.parse(this.#task.disabled_until ?? '') : now
    const wasDisabled = until >= due
    if (wasDisabled) await this.#skipDisabled(schedule, due, until)
    if (!this.#task.enabled) return
    const { current, missed } = caughtUp(schedule, wasDisabled ? until + 1 : due, now)
    if (missed) this.#skipTogether(missed, 'missed_while_down')
    for (const fire of current) {
      const reason =
        reasonOf(this.#task, schedule, fire, this.#rhythm.timezone, this.#last) ??
        (await this.#hindrance(fire))
      if (reason) this.#skip(fire, reason)
    }
  }

  /** Where the account has no room left, what comes to nothing is counted, and no slot is kept of it. */
  async look(): Promise<void> {
    if (this.#slots.every(({ run_id }) => run_id !== null)) return
    const owner = await this.#around.ownerOf(this.#task)
    if (owner) this.#isFull = !(await hasBytesLeft(this.#ports, owner))
  }

  settlement(schedule: Schedule | undefined): Settlement {
    const { id, char_id, due_at, disabled_until } = this.#task
    const [following] = schedule ? nextFires(schedule, this.#now.getTime()) : []
    const next = following ? timestamp(new Date(following.firesAt)) : null
    const waiting = this.#runs.find((run) => run.waits_for === 'turn')
    const kept = this.#isFull ? this.#slots.filter(({ run_id }) => run_id !== null) : this.#slots
    const $inc = Object.fromEntries(
      Object.entries(this.#counts).map(([name, by]) => [`fire_counts.${name}`, by]),
    )
    const $set = {
      due_at: next,
      ...(this.#runs.length > 0 && { last_fire: timestamp(new Date(this.#last)) }),
      ...(waiting && { waiting_run: waiting.id }),
      ...(disabled_until && { disabled_until: null }),
    }
    return {
      writes: [
        { in: 'tasks', update: { id, char_id, due_at }, change: { $set, $inc } },
        ...this.#prolonging,
        ...kept.map((insert): Write => ({ in: 'slots', insert })),
        ...this.#runs.map((insert): Write => ({ in: 'runs', insert })),
      ],
      next,
      last: this.#slots.at(-1)?.fires_at,
    }
  }

  /** Queues the run of a fire, or says what other runs or the quota have against it. */
  async #hindrance(fire: Fire): Promise<SkipReason | undefined> {
    const overlap = await this.#overlap()
    if (overlap === 'skip') return 'overlap'
    if (await this.#around.isSuspended(this.#task)) return 'account_suspended'
    const owner = await this.#around.ownerOf(this.#task)
    if (owner && !(await hasRunLeft(this.#ports, owner))) return 'quota'
    this.#fire(fire, overlap === 'wait')
    return undefined
  }

  /** What the policy says where a run of the task has not ended. */
  async #overlap(): Promise<'go' | 'wait' | 'skip'> {
    const { id, reliability } = this.#task
    const policy = reliability?.overlap_policy ?? 'allow'
    if (policy === 'allow') return 'go'
    const { runs } = this.#ports.store
    const isBusy = this.#runs.length > 0 || (await runs.text({ open: id }, { limit: 1 })).length > 0
    if (!isBusy) return 'go'
    if (policy === 'skip' || this.#runs.some((run) => run.waits_for === 'turn')) return 'skip'
    const waiting = await runs.text({ open: id, waits_for: 'turn' }, { limit: 1 })
    return waiting.length > 0 ? 'skip' : 'wait'
  }

  #fire(fire: Fire, waits: boolean): void {
    const trigger = {
      type: fire.trigger,
      at: timestamp(new Date(fire.firesAt)),
      slot: timestamp(new Date(fire.at)),
    }
    const hasNoModel = lacksModel(this.#ports.models, this.#task)
    const made = newRun(this.#task, { trigger, input: null, hasNoModel }, this.#now)
    const run = waits ? waitingForTurn(made) : made
    this.#runs.push(run)
    const message = waits
      ? 'It came while the run before was going on, and waits for that one to end.'
      : 'It came.'
    this.#last = fire.at
    this.#note(fire, { status: 'fired', reason: null, message, run_id: run.id })
    this.#count('fired', 1)
  }

  #skip(fire: Fire, reason: SkipReason): void {
    const message = skippedBecause(reason, this.#task, this.#rhythm.timezone)
    this.#note(fire, { status: 'skipped', reason, message, run_id: null })
    this.#count(reason, 1)
  }

  /** Fires of a disabled task go into the row of those before, while nothing changes. */
  async #skipDisabled(schedule: Schedule, from: number, until: number): Promise<void> {
    const fires = together(firesBetween(schedule, from, until + 1))
    if (!fires) return
    const message = skippedBecause('task_disabled', this.#task, null)
    const row = await rowToProlong(this.#ports.store, this.#task, message, fires)
    if (!row) return this.#skipTogether(fires, 'task_disabled')
    this.#prolonging.push(prolonged(row, fires))
    this.#count('task_disabled', fires.count)
  }

  #skipTogether({ from, to, count, first }: Together, reason: SkipReason): void {
    const message = skippedBecause(reason, this.#task, this.#rhythm.timezone)
    const last = timestamp(new Date(to))
    const isOne = reason === 'task_disabled' && count === 1
    const told = { status: 'skipped', reason, message, run_id: null, count } as const
    this.#note({ ...first, at: from }, { ...told, to: isOne ? null : last })
    this.#count(reason, count)
  }

  #note(
    { at, firesAt, trigger }: Fire,
    told: Pick<StoredSlot, 'status' | 'reason' | 'message' | 'run_id'> &
      Partial<Pick<StoredSlot, 'to' | 'count'>>,
  ): void {
    const { id, char_id, task_id, owner_id } = this.#task
    const time = timestamp(new Date(at))
    const fires_at = timestamp(new Date(firesAt))
    const slot = { at: time, fires_at, trigger, to: null, count: 1, ...told }
    const row = { ...slot, id: slotKey(id, time), char_id, task_id, owner_id }
    this.#slots.push({ ...row, bytes: sizeOf(row) })
  }

  #count(name: string, by: number): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by
  }
}
