import * as z from 'zod'
import { enabled, freeObject, hasAtMost } from '#src/core/schema-parts.ts'
import { meantAs } from '#src/core/schema.ts'
import { isPlain } from '#src/core/text/text.ts'
import type { RuleParams } from '#src/core/input/correction/rules.ts'
import { checkCron } from './schedule/timetable.ts'
import { isTimezone, noTimezone, unknownTimezone } from './timezone.ts'

export const triggerTypes = ['cron', 'webhook', 'event', 'action', 'manual', 'message'] as const

/** How many triggers a task may have. */
export const triggersAtMost = 50

type TriggerType = (typeof triggerTypes)[number]

/** What is wrong with a member of a trigger's config: its name, why, and a stable code. */
interface Objection {
  member: string
  message: string
  params: RuleParams
}

export const Trigger = z
  .looseObject({
    type: z.enum(triggerTypes),
    config: freeObject.describe(
      'cron {cron: 5 fields, one minute, timezone?: IANA, else UTC}, webhook {path, secret?, verify?}, message {from_agent_id?}, event {event, filter?}, action {name?}',
    ),
    enabled,
  })
  .superRefine(({ type, config, ...others }, context) => {
    for (const { member, message: why, params } of objectionsTo(type, config)) {
      // It is there, one level too high.
      const isOutside = config[member] === undefined && others[member] !== undefined
      const message = isOutside
        ? `"${member}" belongs in config: {"config": {"${member}": …}}`
        : why
      context.addIssue({ code: 'custom', path: ['config', member], message, params })
    }
  })
  .meta({ id: 'TaskTrigger' })
meantAs.set(Trigger, scheduleMeant)
/** What starts runs of a task. */
export type Trigger = z.infer<typeof Trigger>

/** What others call the pattern of a schedule, and its zone. */
const Scheduled = z.strictObject({
  type: z.string().optional(),
  kind: z.string().optional(),
  cron: z.string().optional(),
  schedule: z.string().optional(),
  pattern: z.string().optional(),
  expression: z.string().optional(),
  timezone: z.string().optional(),
  tz: z.string().optional(),
})

/** The trigger that a bare pattern was meant as, or one next to a type that there is not. */
function scheduleMeant(was: unknown): Record<string, unknown> | undefined {
  const { data } = Scheduled.safeParse(typeof was === 'string' ? { cron: was } : was)
  if (!data || triggerTypes.some((type) => type === data.type)) return undefined
  const cron = data.cron ?? data.schedule ?? data.pattern ?? data.expression
  if (cron === undefined || checkCron(cron) !== undefined) return undefined
  const timezone = data.timezone ?? data.tz
  return { type: 'cron', config: { cron, ...(timezone !== undefined && { timezone }) } }
}

function objectionsTo(type: TriggerType, config: Readonly<Record<string, unknown>>): Objection[] {
  const found: Objection[] = []
  const member = memberOf[type]
  const message = member?.objection(config[member.name])
  if (member && message !== undefined) {
    found.push({ member: member.name, message, params: { code: member.code } })
  }
  const { secret = null, timezone = null, verify = null } = config
  const isZone = timezone === null || (typeof timezone === 'string' && isTimezone(timezone))
  if (type === 'cron' && !isZone) {
    const params =
      typeof timezone === 'string' ? unknownTimezone(timezone) : { code: 'unknown_timezone' }
    found.push({ member: 'timezone', message: noTimezone, params })
  }
  if (type === 'webhook' && verify !== null && typeof verify !== 'string') {
    found.push({ member: 'verify', message: 'must be a text', params: { code: 'invalid_type' } })
  }
  if (secret !== null && (typeof secret !== 'string' || secret === '')) {
    found.push({ member: 'secret', message: 'must be a text', params: { code: 'invalid_type' } })
  }
  return found
}

interface ConfigMember {
  name: string
  code: string
  objection(value: unknown): string | undefined
}

/** The member of a config that a trigger of each type reads, and how it is checked. */
const memberOf: { readonly [T in TriggerType]?: ConfigMember } = {
  cron: {
    name: 'cron',
    code: 'invalid_cron',
    objection: (cron) =>
      typeof cron === 'string'
        ? checkCron(cron)
        : 'a cron trigger needs its pattern, such as "0 9 * * 1-5"',
  },
  webhook: {
    name: 'path',
    code: 'invalid_path',
    objection: (path) =>
      typeof path === 'string' && path !== '' && hasAtMost(200, path) && isPlain(path)
        ? undefined
        : 'a webhook trigger needs a path of 1 to 200 visible characters, such as "orders/new"',
  },
  message: { name: 'from_agent_id', code: 'invalid_type', objection: optional },
  action: { name: 'name', code: 'invalid_type', objection: optional },
}

function optional(value: unknown): string | undefined {
  return (value ?? null) === null || typeof value === 'string'
    ? undefined
    : 'must be a text or null'
}
