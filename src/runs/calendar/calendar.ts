import {
  brokenCursor,
  openCursor,
  sealCursor,
  type Key,
  type Order,
  type Page,
} from '#src/core/page.ts'
import { timestamp } from '#src/core/time.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { Places } from '#src/core/turns/places.ts'
import type { Context } from '#src/core/context.ts'
import { taskKey } from '#src/agents/tasks/task.ts'
import { standingsOf } from '../standings/standings.ts'
import { addComingOf, addComingOfAgents, addNextOf } from './ahead.ts'
import { Earliest } from './earliest.ts'
import type { Bare, CalendarEntry, Placed } from './entry.ts'
import { addPastOf, addPastOfTasks } from './past.ts'
import type { Span } from './span.ts'

/** What is asked for. Times in milliseconds since the epoch, the later one exclusive. */
export interface Asked extends Page {
  from: number
  before: number
  /** The agents whose tasks are shown; undefined for all of the account. */
  charIds: readonly string[] | undefined
}

/** A page of the calendar. */
export interface CalendarPage {
  items: CalendarEntry[]
  next_cursor: string | null
  /** Whether no task was left out. */
  isWhole: boolean
}

/** Each looks through all tasks of an account. What waits holds nothing: a person has several pages open that show one. */
const places = new Places({ each: 2, all: 8, line: 16, of: 'calendars' })

/**
 * A page of the past and coming fires of the caller's schedules, oldest first. What it holds at once depends on the
 * size of the page alone, and it is made in portions that hold up no one else.
 * @throws Refusal `cursor_invalid`; `rate_limited` or `unavailable` where too many are being made
 */
export function calendarPage(context: Context<'key'>, asked: Asked): Promise<CalendarPage> {
  return places.hold(context.caller.accountId, async () => {
    const { from, before, charIds, limit, cursor } = asked
    const list = `calendar ${context.caller.accountId} ${from} ${before} ${charIds?.join() ?? ''}`
    const order: Order = { list, by: 'fires_at', direction: 1 }
    const span: Span = { from, before, after: cursor ? placeIn(order, cursor) : undefined }
    const earliest = new Earliest(limit + 1, before)
    const isWhole = await gather(context, charIds, span, earliest)
    const found = earliest.sorted()
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    return {
      items: await inFull(context, await inPortions(bareSteps(shown), context.clock)),
      next_cursor: last ? sealCursor(order, [timestamp(new Date(last.firesAt)), last.id]) : null,
      isWhole,
    }
  })
}

/** How many fires are judged for the next ones that come. */
const judgedAtMost = 20
const weekMs = 604_800_000

/** The next fires of the caller's account that will come within a week, of the tasks that are due first. */
export async function nextComing(context: Context<'key'>, count: number): Promise<CalendarEntry[]> {
  const from = context.clock.now().getTime()
  const span: Span = { from, before: from + weekMs, after: undefined }
  const earliest = new Earliest(judgedAtMost, span.before)
  await addNextOf(context, context.caller.accountId, span, earliest)
  const bare = await inPortions(bareSteps(earliest.sorted()), context.clock)
  const coming = bare.filter(({ status }) => status === 'coming')
  return inFull(context, coming.slice(0, count))
}

/** @throws Refusal `cursor_invalid` */
function placeIn(order: Order, cursor: string): Key {
  const [text, id] = openCursor(order, cursor)
  const at = Date.parse(String(text))
  return Number.isNaN(at) ? brokenCursor() : [timestamp(new Date(at)), id]
}

/**
 * Slots are read after the tasks: what fires in between is then seen as a slot, not missed. Read before them too, they
 * spare a page of the past the tasks.
 */
async function gather(
  context: Context<'key'>,
  charIds: Asked['charIds'],
  span: Span,
  earliest: Earliest,
): Promise<boolean> {
  const { store, caller } = context
  const owner_id = caller.accountId
  if (!charIds) {
    await addPastOf(context, owner_id, span, earliest)
    const isWhole = await addComingOf(context, owner_id, span, earliest)
    await addPastOf(context, owner_id, span, earliest)
    return isWhole
  }
  const among = { owner_id, char_id: { $in: charIds } }
  await addComingOfAgents(context, among, span, earliest)
  const rows = await store.tasks.pick(['char_id', 'task_id'], among)
  const tasks = rows.map(([char, task]) => ({ char_id: String(char), task_id: String(task) }))
  await addPastOfTasks(
    context,
    tasks.map((task) => ({ ...task, owner_id })),
    span,
    earliest,
  )
  return true
}

function* bareSteps(placed: readonly Placed[]): Generator<void, Bare[]> {
  const bare: Bare[] = []
  for (const one of placed) {
    bare.push(yield* one.shown())
    yield
  }
  return bare
}

/** The entries with the names of their tasks, and with how their runs stand. */
async function inFull(context: Context<'key'>, bare: readonly Bare[]): Promise<CalendarEntry[]> {
  const keys = [...new Set(bare.map(({ char_id, task_id }) => taskKey(char_id, task_id)))]
  const own = { owner_id: context.caller.accountId }
  const rows = await context.store.tasks.pick(['id', 'name'], { id: { $in: keys }, ...own })
  const names = new Map(rows.map(([id, name]) => [String(id), String(name)]))
  const runs = await standingsOf(
    context,
    bare.flatMap(({ run_id }) => run_id ?? []),
  )
  return bare.map(({ run_id, ...entry }) => {
    const { status = null, reason = null, error = null } = runs.get(run_id ?? '') ?? {}
    const { char_id, task_id, ...rest } = entry
    return {
      char_id,
      task_id,
      name: names.get(taskKey(char_id, task_id)) ?? null,
      ...rest,
      run: run_id === null ? null : { id: run_id, status, reason, error },
    }
  })
}
