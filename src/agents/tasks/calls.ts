import type { StoredTask } from './task.ts'

/** Nothing longer can be called: a path or a name has at most 200 characters of two units each. */
const unitsAtMost = 512

/** A call of a webhook, by its path. */
export const webhookCall = (path: string): string => `webhook:${barePath(path)}`

/** The same for a trigger that has a secret. */
export const signedCall = (path: string): string => `signed:${barePath(path)}`

/** An action, by its name. */
export const actionCall = (name: string): string => `action:${name}`

/** A message from any sender. */
export const messageCall = 'message'

/** Addresses work with and without a slash at their end, and people write one at the beginning. */
export function barePath(path: string): string {
  return path.replace(/^\//, '').replace(/\/$/, '')
}

/**
 * The calls that enabled triggers of the task wait for, as an index: a call finds the tasks that it may
 * start without reading the others. Null if there are none.
 */
export function callsOf({
  name,
  triggers,
}: Pick<StoredTask, 'name' | 'triggers'>): string[] | null {
  const calls = new Set<string>()
  for (const { type, enabled, config } of triggers) {
    if (!enabled) continue
    if (type === 'message') calls.add(messageCall)
    if (type === 'action') calls.add(actionCall(textOf(config.name) || name))
    if (type !== 'webhook' || textOf(config.path) === '') continue
    calls.add(webhookCall(textOf(config.path)))
    if (typeof config.secret === 'string') calls.add(signedCall(textOf(config.path)))
  }
  const short = [...calls].filter((call) => call.length <= unitsAtMost)
  return short.length > 0 ? short : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
