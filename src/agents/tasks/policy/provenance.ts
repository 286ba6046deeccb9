import { isDeepStrictEqual } from 'node:util'
import { agentCollections } from '#src/agents/collections.ts'
import { TaskInput, type StoredTask } from '../task.ts'
import type { Trigger } from '../trigger.ts'
import { policyMembers } from './change.ts'
import { isOwner, type Author } from './owner-only.ts'
import { sendingMembers } from '#src/agents/secrets/sendings.ts'

/** A task with only defaults. */
const blank: Readonly<Record<string, unknown>> = TaskInput.parse({ name: 'blank' })

/** Members that the author of a task does not set. */
const ofPlatform: ReadonlySet<string> = new Set([
  'task_id',
  'char_id',
  'revision',
  'created_at',
  'updated_at',
  'rating_summary',
  ...agentCollections.tasks.hidden,
])

/**
 * The members of a task that a key acting as its agent wrote last. Only changes count: sending the rest
 * of a document back as it was read does not make the sender its author.
 */
export function membersByAgent(
  author: Author | undefined,
  previous: StoredTask | undefined,
  next: StoredTask,
  inheritsGate = false,
): string[] {
  const names = new Set(previous?.by_agent)
  for (const name of changed(previous, next)) {
    if (!author || isOwner(author) || isOwnersWord(name, author, inheritsGate)) names.delete(name)
    else if (name !== 'triggers' || listensToMore(previous?.triggers ?? [], next.triggers)) {
      names.add(name)
    }
  }
  return [...names].sort()
}

function changed(previous: StoredTask | undefined, next: StoredTask): string[] {
  const was: Readonly<Record<string, unknown>> = previous ?? blank
  const is: Readonly<Record<string, unknown>> = next
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].filter(
    (name) => !ofPlatform.has(name) && !isDeepStrictEqual(was[name] ?? null, is[name] ?? null),
  )
}

/**
 * Whether the value counts as the owner's: of policy members that of a key with the right, or an inherited gate; and all
 * that a program of the whole account writes, but where secrets go.
 */
function isOwnersWord(
  name: string,
  { charId, setsPolicy }: Author,
  inheritsGate: boolean,
): boolean {
  if (name === 'approval_gate' && inheritsGate) return true
  if (charId === undefined) return !sendingMembers.some((member) => member === name)
  return setsPolicy && policyMembers.some((member) => member === name)
}

/** Of triggers only new listeners for events count, because events may be those of other agents. */
function listensToMore(before: readonly Trigger[], after: readonly Trigger[]): boolean {
  const isNew = (trigger: Trigger): boolean =>
    !before.some(
      (one) =>
        (one.enabled || !trigger.enabled) &&
        isDeepStrictEqual({ ...one, enabled: true }, { ...trigger, enabled: true }),
    )
  return after.some((trigger) => trigger.type === 'event' && isNew(trigger))
}

/** Whether a key that acts as its agent wrote this member of a task last. */
export function isByAgent(task: Pick<StoredTask, 'by_agent'>, member: string): boolean {
  return task.by_agent?.includes(member) ?? false
}
