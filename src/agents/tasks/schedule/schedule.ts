import { heartbeatMinutes, isHeartbeatTask, shortestHeartbeatMinutes } from '../heartbeat.ts'
import type { StoredTask } from '../task.ts'
import { lastIn, nextIn, timetableOf, type Timetable } from './timetable.ts'
import { jitterSeconds } from './jitter.ts'
import { lastInZone, nextInZone, zoneOf } from './zone.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

/** A task fires at most once in this time, however many triggers it has. In milliseconds. */
export const betweenFiresMs = hourMs

/** One fire: its nominal time, and its time with jitter. Milliseconds since the epoch. */
export interface Fire {
  at: number
  firesAt: number
  trigger: 'cron' | 'heartbeat'
  /** By whose clocks its pattern was read; absent for UTC. */
  zone?: string
}

/** A timetable, and the zone by whose clocks it is read; absent for UTC. */
export type ZonedTable = Timetable & { zone?: string }

/** Everything that determines when a task fires. */
export interface Schedule {
  /** Those of its enabled triggers of type cron. */
  tables: readonly ZonedTable[]
  /** How often the heartbeat of its agent runs it, in milliseconds; null if it does not. */
  heartbeatMs: number | null
  /** Added to fires at minute 0. */
  jitterMs: number
}

/** The members of a task that its schedule depends on. */
export type Scheduled = Pick<StoredTask, 'id' | 'task_id' | 'name' | 'triggers' | 'reliability'>

/**
 * The schedule of a task; undefined if it has none.
 * @param heartbeat the heartbeat_interval of its agent
 */
export function scheduleOf(
  task: Scheduled,
  heartbeat: string | null | undefined,
): Schedule | undefined {
  const tables = task.triggers.flatMap(({ type, enabled, config }) => {
    if (type !== 'cron' || !enabled || typeof config.cron !== 'string') return []
    const table = timetableOf(config.cron)
    const zone = zoneOf(config)
    return table ? [zone === undefined ? table : { ...table, zone }] : []
  })
  const heartbeatMs = isHeartbeatTask(task) && heartbeat ? heartbeatLength(heartbeat) : null
  if (tables.length === 0 && heartbeatMs === null) return undefined
  const jitterMs = jitterSeconds(task.id, task.reliability?.max_jitter_seconds ?? 0) * 1000
  return { tables, heartbeatMs, jitterMs }
}

/** Whole minutes, in milliseconds: at least an hour. */
function heartbeatLength(text: string): number | null {
  const minutes = heartbeatMinutes(text)
  if (minutes === undefined) return null
  return Math.max(shortestHeartbeatMinutes, Math.round(minutes)) * minuteMs
}

/**
 * The next fires after a time, all at the same moment: jitter may make fires of several minutes
 * coincide, and those of one minute are one. Empty if there are no more.
 */
export function nextFires({ tables, heartbeatMs, jitterMs }: Schedule, after: number): Fire[] {
  const found = tables.flatMap((table) => {
    const shift = table.minute === 0 ? jitterMs : 0
    return cronAt(table, nextAt(table, after - shift), shift)
  })
  if (heartbeatMs !== null) {
    // Fires are at least an hour apart and jitter is less, so their order stays.
    let at = (Math.floor((after - jitterMs) / heartbeatMs) + 1) * heartbeatMs
    while (at + shiftOf(at, jitterMs) <= after) at += heartbeatMs
    found.push(...fireAt(at, shiftOf(at, jitterMs), 'heartbeat'))
  }
  return together(found, Math.min(...found.map(({ firesAt }) => firesAt)))
}

/** The last fires before a time, all at the same moment. */
export function lastFires({ tables, heartbeatMs, jitterMs }: Schedule, before: number): Fire[] {
  const found = tables.flatMap((table) => {
    const shift = table.minute === 0 ? jitterMs : 0
    return cronAt(table, lastAt(table, before - shift), shift)
  })
  if (heartbeatMs !== null) {
    let at = Math.floor(before / heartbeatMs) * heartbeatMs
    while (at + shiftOf(at, jitterMs) >= before) at -= heartbeatMs
    found.push(...fireAt(at, shiftOf(at, jitterMs), 'heartbeat'))
  }
  return together(found, Math.max(...found.map(({ firesAt }) => firesAt)))
}

/** Every fire from one time up to another, exclusive, in order. */
export function* firesBetween(schedule: Schedule, from: number, before: number): Generator<Fire> {
  for (let after = from - 1; ;) {
    const fires = nextFires(schedule, after)
    const [first] = fires
    if (!first || first.firesAt >= before) return
    yield* fires
    after = first.firesAt
  }
}

/** Of so many coming times of its triggers, the first two that are too near for both to fire. */
export function tooNear(
  { tables, heartbeatMs }: Schedule,
  after: number,
  looksAt: number,
): readonly [number, number] | undefined {
  const following = tables.map((table) => (at: number) => nextAt(table, at) ?? Infinity)
  if (heartbeatMs !== null) {
    following.push((at) => (Math.floor(at / heartbeatMs) + 1) * heartbeatMs)
  }
  if (following.length < 2) return undefined
  const coming = following.map((next) => next(after))
  for (let i = 0, before = Number.NEGATIVE_INFINITY; i < looksAt; i++) {
    const at = Math.min(...coming)
    if (at === Infinity) return undefined
    if (at !== before && at - before < betweenFiresMs) return [before, at]
    before = at
    const which = coming.indexOf(at)
    coming[which] = following[which]?.(at) ?? Infinity
  }
  return undefined
}

function shiftOf(at: number, jitterMs: number): number {
  return at % hourMs === 0 ? jitterMs : 0
}

function nextAt(table: ZonedTable, after: number): number | undefined {
  const { zone } = table
  return zone === undefined ? nextIn(table, after) : nextInZone(table, zone, after)
}

function lastAt(table: ZonedTable, before: number): number | undefined {
  const { zone } = table
  return zone === undefined ? lastIn(table, before) : lastInZone(table, zone, before)
}

function cronAt({ zone }: ZonedTable, at: number | undefined, shift: number): Fire[] {
  const fires = fireAt(at, shift, 'cron')
  return zone === undefined ? fires : fires.map((fire) => ({ ...fire, zone }))
}

function fireAt(at: number | undefined, shift: number, trigger: Fire['trigger']): Fire[] {
  return at === undefined ? [] : [{ at, firesAt: at + shift, trigger }]
}

/** Those at this moment, each minute once; cron comes before the heartbeat. */
function together(fires: readonly Fire[], firesAt: number): Fire[] {
  const byMinute = new Map<number, Fire>()
  for (const fire of fires) {
    if (fire.firesAt === firesAt && !byMinute.has(fire.at)) byMinute.set(fire.at, fire)
  }
  return [...byMinute.values()].sort((a, b) => a.at - b.at)
}
