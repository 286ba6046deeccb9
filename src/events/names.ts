import { platformEvents } from '#src/core/vocabulary.ts'

const platform: ReadonlySet<string> = new Set(platformEvents)

/** The events that webhooks of apps may list. */
const forWebhooks: ReadonlySet<string> = new Set([
  'run.completed',
  'run.failed',
  'run.waiting_approval',
  'approval.decided',
  'task.paused',
])

/** Whether triggers of tasks may wait for an event of this type. */
export function isForTriggers(type: string): boolean {
  return platform.has(type)
}

/** Whether the webhook of an app may ask for events of this type. */
export function isForWebhooks(type: string): boolean {
  return forWebhooks.has(type)
}

/** The names of an event of this type for an agent's hooks; none if hooks are not told of it. */
export function hookNames(type: string): readonly string[] {
  if (type === 'before_run') return [type]
  if (!platform.has(type)) return []
  if (type === 'run.completed') return [type, 'after_run']
  return type === 'run.failed' ? [type, 'on_error'] : [type]
}
