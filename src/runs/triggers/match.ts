import { isDeepStrictEqual } from 'node:util'
import type { Hook } from '#src/agents/brain.ts'
import { isMap, memberAt } from '#src/core/maps.ts'
import { isPaused } from '#src/agents/tasks/reliability.ts'
import { isByAgent } from '#src/agents/tasks/policy/provenance.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { PlatformEvent } from '#src/events/event.ts'
import { hookNames, isForTriggers } from '#src/events/names.ts'

/** Whether an enabled task, or a paused one for which runs wait, has an enabled trigger that waits for this event. */
export function awaits(
  task: Pick<StoredTask, 'enabled' | 'reliability' | 'triggers' | 'char_id' | 'by_agent'>,
  event: PlatformEvent,
): boolean {
  if (!(task.enabled || isPaused(task)) || !isForTriggers(event.type)) return false
  // A key that acts as an agent has it listen to what happens to that agent, and not to the others.
  if (isByAgent(task, 'triggers') && event.char_id !== task.char_id) return false
  return task.triggers.some(
    ({ type, enabled, config }) =>
      type === 'event' &&
      enabled &&
      config.event === event.type &&
      passes(config.filter, event.data),
  )
}

/** The enabled hooks that wait for this event. */
export function hooksFor(hooks: readonly Hook[], event: Pick<PlatformEvent, 'type'>): Hook[] {
  const names = hookNames(event.type)
  return hooks.filter((hook) => hook.enabled && names.includes(hook.event))
}

/**
 * Whether the data has, at each dotted path of the filter, exactly the value that stands there. What
 * is no map of paths lets nothing pass.
 */
function passes(filter: unknown, data: Readonly<Record<string, unknown>>): boolean {
  if (filter === undefined || filter === null) return true
  if (!isMap(filter)) return false
  return Object.entries(filter).every(([path, value]) =>
    isDeepStrictEqual(memberAt(data, path), value),
  )
}
