import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { previewed, PreviewedFire } from '#src/runs/schedules/preview.ts'
import { TaskReliability } from '#src/agents/tasks/reliability.ts'
import { checkCron } from '#src/agents/tasks/schedule/timetable.ts'
import { isTimezone, noTimezone } from '#src/agents/tasks/timezone.ts'

const Cron = z.string().superRefine((pattern, context) => {
  const message = checkCron(pattern)
  if (message === undefined) return
  context.addIssue({ code: 'custom', message, params: { code: 'invalid_cron' } })
})

const Timezone = z.string().refine(isTimezone, {
  error: noTimezone,
  params: { code: 'unknown_timezone' },
})

export const preview = operation({
  name: 'schedules.preview',
  summary: 'Show when a cron pattern would fire, before any task has it.',
  description:
    'Patterns have five fields and are in UTC; timezone applies to active_window. Jitter differs ' +
    'from task to task: a fire comes between fires_at and latest_at.',
  example: { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin', count: 3 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/schedules/preview' },
  toolsets: ['tasks'],
  input: z.strictObject({
    cron: Cron.describe('Minute, hour, day of the month, month, day of the week.'),
    timezone: Timezone.nullish(),
    reliability: TaskReliability.nullish(),
    count: z.int().min(1).max(100).default(10),
  }),
  output: z.object({ next: z.array(PreviewedFire) }),
  refuses: [],
  reads: true,

  run({ cron, timezone, reliability, count }, { clock }) {
    const about = { cron, timezone: timezone ?? null, reliability: reliability ?? null }
    return { next: previewed(about, clock.now(), count) }
  },
})
