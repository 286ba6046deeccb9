import * as z from 'zod'
import { ownCharacter } from '#src/agents/access.ts'
import { ownApp } from '#src/apps/access.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { operation } from '#src/core/operation.ts'
import { pageInput, warnedPageOf } from '#src/core/page.ts'
import { Moment } from '#src/core/schema-parts.ts'
import { withWarnings } from '#src/core/schema.ts'
import { calendarPage } from '#src/runs/calendar/calendar.ts'
import { tasksAtMost } from '#src/runs/calendar/ahead.ts'
import { CalendarEntry } from '#src/runs/calendar/entry.ts'
import { daysAhead } from '#src/runs/waits/not-before.ts'

const dayMs = 86_400_000
const daysAtMost = 35

export const calendar = operation({
  name: 'schedules.calendar',
  summary:
    'Read the calendar of all schedules between two times: what was started or skipped, and what is to come.',
  description:
    'Oldest first. Past entries name their run or the reason; later ones say whether a run will ' +
    'start, as far as the task itself decides. What a task that is paused, disabled or manual ' +
    'would do is one entry with its count; an entry that stands for several is listed at the ' +
    `first of them. from and to are at most ${daysAtMost} days apart.`,
  example: { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z', char_id: 'ada' },
  auth: 'key',
  scope: 'agent',
  http: { method: 'GET', path: '/api/schedules/calendar' },
  toolsets: ['tasks'],
  view: 'week',
  input: z.strictObject({
    from: Moment,
    to: Moment.optional().describe('By default seven days after from.'),
    char_id: z.string().max(128).optional(),
    app_id: z.string().max(128).optional(),
    ...pageInput,
    limit: z.int().min(1).max(500).default(200).describe('Entries a page.'),
  }),
  output: warnedPageOf(CalendarEntry),
  refuses: ['character_not_found', 'app_not_found', 'forbidden', 'cursor_invalid'],

  async run({ from, to, char_id, app_id, ...page }, context) {
    const span = spanOf(from, to, context.clock.now())
    const charIds = await chosen(context, char_id, app_id)
    const { isWhole, ...shown } = await calendarPage(context, { ...span, charIds, ...page })
    return withWarnings(shown, isWhole ? [] : [tasksLeftOut])
  },
})

const tasksLeftOut = {
  code: 'tasks_left_out',
  message:
    `Coming fires are those of the ${tasksAtMost} tasks that are due first. Narrow the calendar by char_id or app_id to ` +
    'see those of others.',
}

function spanOf(from: string, to: string | undefined, now: Date) {
  const start = Date.parse(from)
  const before = to === undefined ? start + 7 * dayMs : Date.parse(to)
  if (before <= start) refuseTo('must be after from')
  if (before - start > daysAtMost * dayMs) refuseTo(`must be at most ${daysAtMost} days after from`)
  const ahead = before - now.getTime()
  if (ahead > daysAhead * dayMs) refuseTo(`must not be more than ${daysAhead} days from now`)
  return { from: start, before }
}

/** @throws Refusal `invalid_input` always */
function refuseTo(message: string): never {
  const errors = [{ pointer: '/to', message, code: 'out_of_range' }]
  return refuse('invalid_input', `to: ${message}`, { errors })
}

/** The agents that are asked for; undefined for all of the account. */
async function chosen(
  context: Context<'key'>,
  charId: string | undefined,
  appId: string | undefined,
): Promise<readonly string[] | undefined> {
  const { store, caller } = context
  if (charId !== undefined) await ownCharacter(context, charId)
  const own = charId ?? caller.charId
  if (appId === undefined) return own === undefined ? undefined : [own]
  const app = await ownApp(context, appId)
  const among = {
    app_id: app.id,
    owner_id: caller.accountId,
    ...(own !== undefined && { id: own }),
  }
  const rows = await store.characters.pick(['id'], among)
  return rows.map(([id]) => String(id)).sort()
}
