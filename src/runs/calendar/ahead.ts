import { after, type Key, type Order } from '#src/core/page.ts'
import { timestamp } from '#src/core/time.ts'
import { charactersAtMost, inPieces } from '#src/core/turns/pieces.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { isHeartbeatTask } from '#src/agents/tasks/heartbeat.ts'
import { firesBetween, scheduleOf, type Schedule } from '#src/agents/tasks/schedule/schedule.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { Filter } from '#src/ports/filter.ts'
import { judgedBetween, type JudgedFire } from '../schedules/outlook.ts'
import type { Rhythm } from '../schedules/rhythm.ts'
import type { Judged } from '../schedules/skip-reason.ts'
import { slotKey } from '../schedules/slot.ts'
import { skippedBecause } from '../schedules/words.ts'
import type { Earliest } from './earliest.ts'
import type { Bare, Placed } from './entry.ts'
import { isAfter } from './past.ts'
import type { Reading, Span } from './span.ts'

/** How many tasks of an account are looked at for one page. */
export const tasksAtMost = 10_000
const atOnce = 100
/** How many tasks are looked at for the few next fires. */
const nextTasks = 20
/** Fires of several triggers that are near each other decide on each other: so far back they are looked at. */
const lookBackMs = 86_400_000

/**
 * Adds the earliest fires of an account that are not decided on yet. Tasks are read by the time at which they are
 * due, so that those after the end of the page are not read.
 * @returns whether all tasks were looked at that have a fire in the page
 */
export async function addComingOf(
  reading: Reading,
  ownerId: string,
  span: Span,
  earliest: Earliest,
): Promise<boolean> {
  const order: Order = { list: 'tasks', by: 'due_at', direction: 1 }
  let key: Key | undefined
  for (let looked = 0; looked < tasksAtMost;) {
    const due_at = { $gt: '', $lte: timestamp(new Date(earliest.horizon)) }
    const all: Filter<StoredTask> = { owner_id: ownerId, due_at }
    const options = { sort: { due_at: 1 }, limit: atOnce, charactersAtMost } as const
    const narrowed = key
      ? { ...after(all, order, key), due_at: { $gte: key[0], $lte: due_at.$lte } }
      : all
    const tasks = await reading.store.tasks.find(narrowed, options)
    await addComing(reading, tasks, span, earliest)
    const last = tasks.at(-1)
    if (!last) return true
    looked += tasks.length
    key = [last.due_at ?? '', last.id]
  }
  return false
}

/** Adds the fires of the few tasks of an account that are due next. */
export async function addNextOf(
  reading: Reading,
  ownerId: string,
  span: Span,
  earliest: Earliest,
): Promise<void> {
  const among = { owner_id: ownerId, due_at: { $gt: timestamp(new Date(span.from)) } }
  const options = { sort: { due_at: 1 }, limit: nextTasks, charactersAtMost } as const
  await addComing(reading, await reading.store.tasks.find(among, options), span, earliest)
}

/** Adds the earliest fires of the tasks of some agents that are not decided on yet. */
export async function addComingOfAgents(
  reading: Reading,
  filter: Filter<StoredTask>,
  span: Span,
  earliest: Earliest,
): Promise<void> {
  const scheduled = { ...filter, due_at: { $gt: '' } }
  for await (const tasks of inPieces(reading.clock, reading.store.tasks, scheduled)) {
    await addComing(reading, tasks, span, earliest)
  }
}

async function addComing(
  reading: Reading,
  tasks: readonly StoredTask[],
  span: Span,
  earliest: Earliest,
): Promise<void> {
  if (tasks.length === 0) return
  const rhythms = await rhythmsOf(reading, tasks)
  await inPortions(addSteps(tasks, rhythms, span, earliest), reading.clock)
}

/** The rhythms of those agents on which fires of these tasks depend. */
async function rhythmsOf({ store }: Reading, tasks: readonly StoredTask[]) {
  const depending = tasks.filter((task) => isHeartbeatTask(task) || task.reliability?.active_window)
  const ids = [...new Set(depending.map(({ char_id }) => char_id))]
  if (ids.length === 0) return new Map<string, Rhythm>()
  const paths = ['id', 'heart.heartbeat_interval', 'heart.timezone'] as const
  const rows = await store.characters.pick(paths, { id: { $in: ids } })
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return new Map(
    rows.map(([id, heartbeat, timezone]): [string, Rhythm] => [
      String(id),
      { heartbeat: textOf(heartbeat), timezone: textOf(timezone) },
    ]),
  )
}

function* addSteps(
  tasks: readonly StoredTask[],
  rhythms: ReadonlyMap<string, Rhythm>,
  span: Span,
  earliest: Earliest,
): Generator<void, void> {
  for (const task of tasks) {
    const { heartbeat = null, timezone = null } = rhythms.get(task.char_id) ?? {}
    const schedule = scheduleOf(task, heartbeat)
    if (schedule) yield* addFires({ ...leanOf(task), schedule, timezone }, span, earliest)
    yield
  }
}

/** What of a task its entries are made from: a page is made of very many tasks, and holds none of them whole. */
interface Player extends Judged, Pick<StoredTask, 'id' | 'char_id' | 'task_id' | 'due_at'> {
  schedule: Schedule
  timezone: string | null
}

function leanOf(task: StoredTask) {
  const { id, char_id, task_id, due_at, enabled, autonomy, skip_next_run_at, reliability } = task
  const { last_fire } = task
  const lean = { id, char_id, task_id, due_at, enabled, autonomy, skip_next_run_at, reliability }
  return { ...lean, ...(last_fire !== undefined && { last_fire }) }
}

function* addFires(player: Player, span: Span, earliest: Earliest): Generator<void, void> {
  // What fired before it is due was decided on, and left slots.
  const from = Math.max(span.from, Date.parse(player.due_at ?? ''))
  if (!player.enabled || player.autonomy === 'manual') {
    addStill(player, from, span, earliest)
    return
  }
  const start = Math.max(from, span.after ? Date.parse(String(span.after[0])) : from)
  const { tables, heartbeatMs } = player.schedule
  const isOne = tables.length + Number(heartbeatMs !== null) === 1
  const looked = isOne ? start : Math.max(from, start - lookBackMs)
  // The horizon comes nearer as entries are added.
  for (const judged of judgedBetween(
    player,
    player.schedule,
    player.timezone,
    looked,
    span.before,
  )) {
    if (judged.fire.firesAt > earliest.horizon) return
    const one = placed(player, judged, single)
    if (judged.fire.firesAt >= start && isAfter(one, span.after)) earliest.add(one)
    yield
  }
}

/** All fires of a task that stands still are one entry, at the first of them. */
function addStill(player: Player, from: number, { before, after: key }: Span, earliest: Earliest) {
  const { schedule, timezone } = player
  const [first] = judgedBetween(player, schedule, timezone, from, before).take(1)
  if (!first) return
  const one = placed(player, first, () => together(schedule, from, before))
  if (isAfter(one, key)) earliest.add(one)
}

/** What an entry stands for, apart from its first fire. */
type Together = Pick<Bare, 'to' | 'count'>

// oxlint-disable-next-line require-yield
function* single(): Generator<void, Together> {
  return { to: null, count: 1 }
}

function* together(schedule: Schedule, from: number, before: number): Generator<void, Together> {
  let [count, last] = [0, 0]
  for (const { at } of firesBetween(schedule, from, before)) {
    count += 1
    last = Math.max(last, at)
    yield
  }
  return { to: count > 1 ? timestamp(new Date(last)) : null, count }
}

function placed(
  player: Player,
  { fire, reason }: JudgedFire,
  extent: () => Generator<void, Together>,
): Placed {
  const at = timestamp(new Date(fire.at))
  const { id, char_id, task_id, timezone } = player
  return {
    id: slotKey(id, at),
    firesAt: fire.firesAt,
    *shown() {
      return {
        char_id,
        task_id,
        at,
        fires_at: timestamp(new Date(fire.firesAt)),
        ...(yield* extent()),
        trigger: fire.trigger,
        status: reason === null ? 'coming' : 'not_coming',
        reason,
        message: reason && skippedBecause(reason, player, timezone),
        run_id: null,
      }
    },
  }
}
