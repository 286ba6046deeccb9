import type { Operation } from '#src/core/operation.ts'
import { calendar as schedulesCalendar } from '#src/operations/schedules/calendar.ts'
import { preview as schedulesPreview } from '#src/operations/schedules/preview.ts'
import { create } from '#src/operations/tasks/create.ts'
import { remove } from '#src/operations/tasks/delete.ts'
import { get } from '#src/operations/tasks/get.ts'
import { list } from '#src/operations/tasks/list.ts'
import { pause } from '#src/operations/tasks/pause.ts'
import { resume } from '#src/operations/tasks/resume.ts'
import { run } from '#src/operations/tasks/run.ts'
import { schedule } from '#src/operations/tasks/schedule.ts'
import { simulate } from '#src/operations/tasks/simulate.ts'
import { skipNext } from '#src/operations/tasks/skip-next.ts'
import { update } from '#src/operations/tasks/update.ts'

/** Tasks, and when they are due. */
export const tasks: readonly Operation[] = [
  list,
  create,
  get,
  update,
  remove,
  run,
  pause,
  resume,
  skipNext,
  schedule,
  simulate,
  schedulesPreview,
  schedulesCalendar,
]
