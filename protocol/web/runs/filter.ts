import type * as z from 'zod'
import type { runOperations } from '#src/catalog/run-pages.ts'
import { runTriggers } from '#src/runs/listed.ts'
import { runStatuses, type RunStatus } from '#src/runs/run.ts'
import { beginOf, daysLater } from '#src/views/dates.ts'

/** Statuses that people look for together, by the name of their choice in the form. */
export const standings = {
  failed: { words: 'Failed', statuses: ['failed', 'timed_out'] },
  waiting: { words: 'Waits for someone', statuses: ['waiting_approval', 'waiting_input'] },
  working: { words: 'Queued or running', statuses: ['queued', 'running'] },
  completed: { words: 'Completed', statuses: ['completed'] },
  cancelled: { words: 'Cancelled', statuses: ['cancelled', 'abandoned'] },
  skipped: { words: 'Skipped', statuses: ['skipped'] },
} as const satisfies Record<string, { words: string; statuses: readonly RunStatus[] }>

/** What the form of the page narrows the runs by, as it is in the address. */
export interface RunFilter {
  char_id?: string
  task_id?: string
  app_id?: string
  status?: string
  trigger?: string
  error_code?: string
  /** The first and the last day, as dates. */
  from?: string
  to?: string
}

const members = [
  'char_id',
  'task_id',
  'app_id',
  'status',
  'trigger',
  'error_code',
  'from',
  'to',
] as const
const longest = 128

/** What an address or a form asks for; what is left empty narrows nothing. */
export function filterIn(query: URLSearchParams): RunFilter {
  const sent = members.map((name) => [name, (query.get(name) ?? '').trim().slice(0, longest)])
  return Object.fromEntries(sent.filter(([, value]) => value !== '')) as RunFilter
}

/** The same as an address has it. */
export function queryOf(filter: RunFilter, more: Record<string, string> = {}) {
  return { ...(filter as Record<string, string>), ...more }
}

type Input = Pick<
  z.input<typeof runOperations.list.input>,
  'char_id' | 'task_id' | 'app_id' | 'status' | 'trigger' | 'error_code' | 'since' | 'until'
>

/** The same as operations take it; what means nothing there narrows nothing. */
export function inputOf(filter: RunFilter, zone: string): Input {
  const { status, trigger, from, to, ...same } = filter
  const [since, until] = [from, to && daysLaterIf(to)].map((date) => beginOf(date ?? '', zone))
  const kind = runTriggers.find((one) => one === trigger)
  const statuses = statusesIn(status)
  return {
    ...same,
    ...(statuses && { status: [...statuses] }),
    ...(kind && { trigger: kind }),
    ...timeOf('since', since),
    ...timeOf('until', until),
  }
}

function statusesIn(status: string | undefined): readonly RunStatus[] | undefined {
  if (status === undefined) return undefined
  if (Object.hasOwn(standings, status)) return standings[status as keyof typeof standings].statuses
  const one = runStatuses.find((known) => known === status)
  return one && [one]
}

function daysLaterIf(date: string): string {
  return Number.isNaN(beginOf(date, 'UTC')) ? '' : daysLater(date, 1)
}

/** Nothing has run before the epoch, and operations take no date of long before it. */
function timeOf(name: 'since' | 'until', at: number | undefined) {
  const isTime = at !== undefined && !Number.isNaN(at)
  return isTime ? { [name]: new Date(Math.max(at, 0)).toISOString() } : {}
}
