import { isDeepStrictEqual } from 'node:util'
import type { AuditNote } from '#src/accounts/audit/record.ts'
import { noticeTo } from '#src/accounts/notice.ts'
import { call } from '#src/core/words/reference.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredTask } from '../task.ts'
import { holdOf, policyMembers } from './change.ts'

/** A task before and after a write; undefined where there is none. */
export interface Changed {
  before?: StoredTask | undefined
  after?: StoredTask | undefined
}

/** What guards a task, or says what it may reach: these are recorded where they change. */
const guarding = policyMembers
const ofGates: ReadonlySet<string> = new Set(['approval_gate', 'quorum', 'autonomy'])

/** The names of the guarding members that a write changes; of a new task those that it comes with. */
export function guardsChanged({ before, after }: Changed): string[] {
  const there = after ?? before
  if (!there || (before && !after && holdOf(before) === undefined)) return []
  return guarding.filter((name) => {
    if (before && after) return !isDeepStrictEqual(before[name] ?? null, after[name] ?? null)
    // Tools without secrets are plain work.
    return name !== 'tools' && isSet(there[name])
  })
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value != null
}

/** What is recorded of a write to one task, and the notice of a changed gate; nothing where no guard changes. */
export function guardsRecorded(
  operation: string,
  changed: Changed,
  now: Date,
): { note: AuditNote | undefined; writes: Write[] } {
  const task = changed.after ?? changed.before
  const names = guardsChanged(changed)
  if (!task || names.length === 0) return { note: undefined, writes: [] }
  const { char_id, task_id } = task
  const note = { operation, about: { char_id, task_id }, changed: names }
  return { note, writes: gateNotices([changed], now) }
}

/** The names of what guards runs of an existing task, as far as a write changes or removes it. */
export function gateMembersChanged(changed: Changed): string[] {
  return changed.before ? guardsChanged(changed).filter((name) => ofGates.has(name)) : []
}

/** A notice for each task whose gate a write changes or removes; a new task's own gate is none. */
export function gateNotices(all: readonly Changed[], now: Date): Write[] {
  return all.flatMap((changed) => {
    const { before, after } = changed
    const names = gateMembersChanged(changed)
    if (!before || names.length === 0) return []
    const { owner_id, char_id, task_id } = before
    const what = after ? `Changed: ${names.join(', ')}` : 'It was deleted'
    const message = `What guards the task "${task_id}" of the agent "${char_id}" was changed. ${what}. ${call('account.audit')} says who did it.`
    return [noticeTo(owner_id, 'gate.changed', message, { char_id, task_id }, now)]
  })
}
