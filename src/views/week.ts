import { calendarOf, type Calendar } from './calendar.ts'
import { taskWeek, type Schedule } from './task-week.ts'
import type { View } from './view.ts'

/** What schedules did and will do: of one task around today, or of many in the days that are asked for. */
export const weekView: View<Schedule | Calendar> = {
  name: 'week',
  title: 'The schedule of the week',
  description:
    'When tasks fire and did, day by day, and why not: of one task, an agent, a team or the whole account. Of one task a fire can be skipped.',
  show: (answer, at) => ('items' in answer ? calendarOf(answer, at) : taskWeek(answer, at)),
  again(answer, { input }) {
    if ('items' in answer) return { operation: 'schedules.calendar', input }
    const { char_id, task_id } = input
    return { operation: 'tasks.schedule', input: { char_id, task_id } }
  },
  rereading: () => 'on_request',
}
