import type { Notices } from './notices.ts'
import type { StoredTask, TaskInput } from './task.ts'

/** What a runtime cannot do without. */
const needed: Readonly<Record<string, keyof TaskInput>> = {
  api: 'api_url',
  container: 'container_image',
  human_approval: 'quorum',
  shell: 'shell_command',
}

function lackedBy(task: Partial<TaskInput>): keyof TaskInput | undefined {
  const member = Object.hasOwn(needed, task.runtime ?? '') ? needed[task.runtime ?? ''] : undefined
  return member === undefined || task[member] ? undefined : member
}

/** Tells of a runtime that lacks what it cannot do without. @param at the pointer of the task */
export function noteNeeded(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  const member = lackedBy(task)
  if (member === undefined || (previous && lackedBy(previous) === member)) return
  const message = `Runs fail: the runtime "${task.runtime}" needs ${member}.`
  notices.add('runtime_incomplete', `${at}/${member}`, message)
}

/** Members that act only once they are switched on, each with its switch and with what it is to do. */
const switches = [
  ['output_sharing', 'enabled', ['target_agent_id', 'target_task_id']],
  ['social_posting', 'enabled', ['channels']],
  ['approval_gate', 'requires_approval', ['approvers', 'approval_prompt', 'require_person']],
] as const

function isSetUpAndOff(
  task: Pick<TaskInput, 'output_sharing' | 'social_posting' | 'approval_gate'>,
  [member, flag, parts]: (typeof switches)[number],
): boolean {
  // The schema has checked it; each of the three has a shape of its own.
  const block = task[member] as Readonly<Record<string, unknown>> | null | undefined
  if (!block || block[flag] !== false) return false
  return parts.some((part) => {
    const value = block[part]
    return Array.isArray(value) ? value.length > 0 : Boolean(value)
  })
}

/** Tells of what is set up and off, which is the default. @param at the pointer of the task */
export function noteSwitches(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  for (const one of switches) {
    if (!isSetUpAndOff(task, one) || (previous && isSetUpAndOff(previous, one))) continue
    const [member, flag] = one
    const message = `${member} is kept, and off: nothing acts on it until its ${flag} is true.`
    notices.add('switched_off', `${at}/${member}/${flag}`, message)
  }
}
