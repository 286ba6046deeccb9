import type { Ports } from '#src/core/context.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import { settled, type Settlement } from '#src/runs/schedules/fire.ts'
import { releaseDue, settleHeld } from '#src/runs/waits/release.ts'
import { TimeSeen } from '#src/runs/schedules/replan.ts'
import { planStore } from '#src/runs/schedules/plan-store.ts'
import { settleTurns } from '#src/runs/schedules/release-waiting.ts'
import { Surroundings } from '#src/runs/schedules/lookup-cache.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { DueTasks } from './turns/due-tasks.ts'
import { piecesOf } from '#src/core/turns/pieces.ts'

/** Tasks decided on at once: their writes are gathered into one commit to the disk. */
const decidedAtOnce = 64
/** The share of these that other processes may have decided on first; above it the look ends. */
const lostAtMost = 0.25
/** How often to look at runs that wait for another one to end. */
const turnsEveryMs = 5000

/** Turns what schedules ask for into runs. Any number may do so on one store. */
export interface Scheduler {
  /** Decides on the tasks that are due, some hundreds at a time, and gives how many there were. */
  tick(now: Date): Promise<number>
}

/** @param later called where other processes take the same tasks: a later look finds the rest */
export function scheduler(ports: Ports, later: () => void = () => undefined): Scheduler {
  let turnsSettledAt = Number.NEGATIVE_INFINITY
  let turnsSettledTo = ''
  let heldSettledTo = ''
  let isPlanned = false
  const seen = new TimeSeen(ports)
  const dueTasks = new DueTasks(ports.store)
  return {
    async tick(now) {
      if (!isPlanned) await planStore(ports, now)
      isPlanned = true
      await seen.look(now)
      const due = await dueTasks.next(now)
      const isAlone = await decideAll(ports, shuffled(due), now)
      const monotonic = ports.clock.monotonic()
      if (monotonic - turnsSettledAt >= turnsEveryMs) {
        turnsSettledAt = monotonic
        turnsSettledTo = await settleTurns(ports, now, turnsSettledTo)
        heldSettledTo = await settleHeld(ports, heldSettledTo)
      }
      const begun = await releaseDue(ports, now)
      if (isAlone) return due.length + begun
      later()
      return 0
    },
  }
}

/** In a different order in each process, so that they do not all start with the same task. */
function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** @returns whether no other process seems to work on the same tasks */
async function decideAll(ports: Ports, ids: readonly string[], now: Date): Promise<boolean> {
  const { store, clock } = ports
  const around = new Surroundings(ports)
  for (let done = 0; done < ids.length; done += decidedAtOnce) {
    const some = ids.slice(done, done + decidedAtOnce)
    let lost = 0
    for await (const tasks of piecesOf(clock, store.tasks, some)) {
      // Another process has decided on those that are no longer due.
      const due = tasks.filter(({ due_at }) => due_at !== null && Date.parse(due_at) <= +now)
      lost += tasks.length - due.length
      const decided = await Promise.all(due.map((task) => fired(ports, task, now, around)))
      lost += decided.filter((one) => !one).length
    }
    if (lost > some.length * lostAtMost) return false
  }
  return true
}

/** What a schedule starts is a trace of its own. */
function fired(ports: Ports, task: StoredTask, now: Date, around: Surroundings): Promise<boolean> {
  const { char_id, owner_id } = task
  const facts = { 'abode.account_id': owner_id, 'abode.agent_id': char_id }
  const step = { name: 'schedule', kind: 'internal', facts, of: undefined } as const
  return ports.traces.step(step, () => decide(ports, task, now, around))
}

/** @returns whether this process decided, and no other one */
async function decide(
  ports: Ports,
  task: StoredTask,
  now: Date,
  around: Surroundings,
): Promise<boolean> {
  const settlement = await settled(ports, task, now, around)
  try {
    await ports.store.commit(settlement.writes)
  } catch (cause) {
    // Another process was quicker, or the task has changed: the next look decides again.
    if (cause instanceof Unmet) return false
    if (!(cause instanceof DuplicateKey) || cause.in !== 'slots') throw cause
    return moveOn(ports, task, settlement)
  }
  return true
}

/**
 * Moves on a task with a fire that was decided on before, by another clock or schedule. Where there
 * are several fires, the last is looked at by itself, because it may be new.
 */
async function moveOn(
  { store }: Ports,
  { id, due_at }: StoredTask,
  { next, last }: Settlement,
): Promise<boolean> {
  const isLater = last !== undefined && due_at !== null && last > due_at
  const change = { $set: { due_at: isLater ? last : next } }
  return (await store.tasks.update({ id, due_at }, change)) !== undefined
}
