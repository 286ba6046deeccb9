import { taskKey } from '#src/agents/tasks/task.ts'
import type { CalendarEntry } from '#src/runs/calendar/entry.ts'

/** A task with a schedule, as far as the entries of some days tell. */
export interface Scheduled {
  char_id: string
  task_id: string
  /** Its next fire that comes. */
  next: CalendarEntry | undefined
  /** Why none comes, where that is known. */
  stands: string | undefined
  /** Whether it is switched off or paused. */
  isOff: boolean
}

/** The tasks of entries that are still there, those first whose fire is next. */
export function schedulesIn(entries: readonly CalendarEntry[]): Scheduled[] {
  const there = entries.filter(({ name }) => name !== null)
  const byTask = Map.groupBy(there, ({ char_id, task_id }) => taskKey(char_id, task_id))
  const all = [...byTask.values()].flatMap((some) => scheduledIn(some) ?? [])
  const ofNext = ({ next }: Scheduled): string => next?.fires_at ?? '~'
  return all.toSorted((a, b) => (ofNext(a) < ofNext(b) ? -1 : 1))
}

function scheduledIn(entries: readonly CalendarEntry[]): Scheduled | undefined {
  const [first] = entries
  if (!first) return undefined
  const { char_id, task_id } = first
  const next = entries.find(({ status }) => status === 'coming')
  const still = entries.find(({ status }) => status === 'not_coming')
  const isOff = next === undefined && still?.reason === 'task_disabled'
  const stands = next === undefined ? (still?.message ?? undefined) : undefined
  return { char_id, task_id, next, stands, isOff }
}
