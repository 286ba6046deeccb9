import type { CalendarEntry } from '#src/runs/calendar/entry.ts'

const hourMs = 3_600_000
const begin = Date.parse('2026-03-01T00:00:00.000Z')

/** The time of the week that the samples show, in hours. */
export function hour(hours: number): string {
  return new Date(begin + hours * hourMs).toISOString()
}

/** An entry of the calendar, at an hour of the week. */
export function entry(hours: number, own: Partial<CalendarEntry> = {}): CalendarEntry {
  return {
    char_id: 'newsroom--researcher',
    task_id: 'research',
    name: 'Research',
    at: hour(hours),
    fires_at: hour(hours),
    to: null,
    count: 1,
    trigger: 'cron',
    status: 'coming',
    reason: null,
    message: null,
    run: null,
    ...own,
  }
}

const run = { id: 'run_1', status: 'completed', reason: null, error: null } as const

/** A week of an account: with a text in every place that others write, more on one day than it shows at once. */
export function calendar(text: string): Record<string, unknown> {
  const named = { char_id: text, name: text, message: text }
  const fired = (hours: number, status: 'completed' | 'failed' | 'waiting_approval' | 'running') =>
    entry(hours, { ...named, task_id: `${text}1`, status: 'fired', run: { ...run, status } })
  return {
    items: [
      fired(3, 'completed'),
      fired(4, 'completed'),
      entry(5, { ...named, task_id: `${text}2`, status: 'skipped', reason: 'overlap' }),
      fired(9, 'failed'),
      entry(11, { task_id: text, name: null, status: 'fired', run: { ...run, status: null } }),
      fired(30, 'running'),
      fired(31, 'waiting_approval'),
      entry(33, { ...named, status: 'not_coming', count: 90, to: hour(150) }),
      ...Array.from({ length: 12 }, (_, i) =>
        entry(36 + i, { ...named, task_id: `${text}-${i}`, trigger: 'heartbeat' }),
      ),
      ...[60, 84, 108, 132, 156].map((hours) => entry(hours)),
    ],
    next_cursor: text,
    warnings: [{ code: 'tasks_left_out', message: text }],
  }
}

/** What is asked for that week. */
export const ofWeek = { from: hour(0), to: hour(168) }
