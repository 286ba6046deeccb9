import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { previewed, PreviewedFire } from '#src/runs/schedules/preview.ts'
import { Warning, withWarnings } from '#src/core/schema.ts'
import { TaskReliability } from '#src/agents/tasks/reliability.ts'
import { checkCron } from '#src/agents/tasks/schedule/timetable.ts'
import { Timezone } from '#src/agents/tasks/timezone.ts'

const Cron = z.string().superRefine((pattern, context) => {
  const message = checkCron(pattern)
  if (message === undefined) return
  context.addIssue({ code: 'custom', message, params: { code: 'invalid_cron' } })
})

export const preview = operation({
  name: 'schedules.preview',
  summary: 'Show when a cron pattern would fire, before any task has it.',
  description:
    'Patterns have five fields and are read in cron_timezone, as in config.timezone of a trigger, ' +
    'else in UTC (a warning says so if only timezone is sent); timezone is that of the agent, for ' +
    'active_window. Jitter differs ' +
    'from task to task: a fire comes between fires_at and latest_at.',
  example: { cron: '0 9 * * 1-5', cron_timezone: 'Europe/Berlin', count: 3 },
  auth: 'key',
  scope: 'agent',
  http: { method: 'POST', path: '/api/schedules/preview' },
  toolsets: ['tasks'],
  input: z.strictObject({
    cron: Cron.describe('Minute, hour, day of the month, month, day of the week.'),
    cron_timezone: Timezone.nullish().describe(
      'config.timezone of the trigger: IANA name, or UTC.',
    ),
    timezone: Timezone.nullish().describe('heart.timezone of the agent, for active_window.'),
    reliability: TaskReliability.nullish(),
    count: z.int().min(1).max(100).default(10),
  }),
  output: z.object({ next: z.array(PreviewedFire), warnings: z.array(Warning).optional() }),
  refuses: [],
  reads: true,

  run({ cron, cron_timezone, timezone, reliability, count }, { clock }) {
    const zones = { cronTimezone: cron_timezone ?? null, timezone: timezone ?? null }
    const about = { cron, ...zones, reliability: reliability ?? null }
    const next = previewed(about, clock.now(), count)
    return withWarnings({ next }, warningsOf(zones))
  },
})

const isUtc = /^(?:etc\/)?(?:utc|uct|gmt|universal|zulu|greenwich)$/i

/** Who sends one zone alone mostly means the pattern by it. */
function warningsOf({
  cronTimezone,
  timezone,
}: Record<'cronTimezone' | 'timezone', string | null>) {
  if (cronTimezone !== null || timezone === null || isUtc.test(timezone)) return []
  const message =
    'The pattern is read in UTC: timezone is that of the agent, for active_window. To have it ' +
    `read in this zone send cron_timezone: "${timezone}"; "UTC" if UTC is meant.`
  return [{ code: 'pattern_in_utc', pointer: '/timezone', message }]
}
