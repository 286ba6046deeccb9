import { calendar } from '#src/operations/schedules/calendar.ts'
import { pause } from '#src/operations/tasks/pause.ts'
import { resume } from '#src/operations/tasks/resume.ts'
import { run } from '#src/operations/tasks/run.ts'
import { schedule } from '#src/operations/tasks/schedule.ts'
import { skipNext } from '#src/operations/tasks/skip-next.ts'

/** The operations behind the page of schedules, with their types. */
export const scheduleOperations = { calendar, schedule, tasks: { run, pause, resume, skipNext } }
