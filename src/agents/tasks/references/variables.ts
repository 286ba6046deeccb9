import { isDeepStrictEqual } from 'node:util'
import type { Notices } from '../notices.ts'
import { placeholdersIn } from '../placeholders.ts'
import type { StoredTask, TaskInput } from '../task.ts'

/** What of a task says what its texts may name. */
type Filled = Pick<
  TaskInput,
  | 'prompt'
  | 'runtime'
  | 'api_url'
  | 'approval_gate'
  | 'triggers'
  | 'variables'
  | 'variable_types'
  | 'output_sharing'
  | 'social_posting'
>

/** The runtimes that fill in the prompt. */
const prompted = ['prompt', 'template', 'api', 'human_approval']

/** A name of so many letters or fewer is like any other, so that none was meant. */
const shortAtMost = 2

/** The texts of a task that its runs fill in, by their pointers in the task. */
function filledTexts(task: Filled): [pointer: string, text: string][] {
  const runtime = task.runtime || 'prompt'
  const { approval_gate: gate } = task
  return [
    ...(prompted.includes(runtime) ? [['/prompt', task.prompt] as [string, string]] : []),
    ...(runtime === 'api' && task.api_url ? [['/api_url', task.api_url] as [string, string]] : []),
    ...(gate?.requires_approval
      ? [['/approval_gate/approval_prompt', gate.approval_prompt] as [string, string]]
      : []),
  ]
}

/**
 * Tells of placeholders that runs could not fill in, or never do. Runs of a schedule have no input; in others a
 * name may be a member of it, so that only what looks like a misspelled variable is told.
 * @param at the pointer of the task
 */
export function notePlaceholders(
  notices: Notices,
  task: TaskInput,
  at: string,
  previous: StoredTask | undefined,
): void {
  const before = previous && isDeepStrictEqual(namesOf(previous), namesOf(task)) ? previous : null
  const known = before ? new Map(filledTexts(before)) : undefined
  for (const [pointer, text] of filledTexts(task)) {
    noteText(notices, task, { pointer: at + pointer, text, isNew: known?.get(pointer) !== text })
  }
  for (const member of ['output_sharing', 'social_posting'] as const) {
    const text = task[member]?.enabled ? (task[member].message_prefix ?? '') : ''
    if (text !== previous?.[member]?.message_prefix) {
      noteUnfilled(notices, text, `${at}/${member}/message_prefix`)
    }
  }
}

function namesOf({ variables, variable_types }: Filled): object {
  return { variables, variable_types }
}

interface Text {
  pointer: string
  text: string
  /** Whether it, or what it may name, was not so before. */
  isNew: boolean
}

function noteText(notices: Notices, task: Filled, { pointer, text, isNew }: Text): void {
  const { variables, variable_types } = task
  const isScheduled = task.triggers.some(({ type, enabled }) => type === 'cron' && enabled)
  const given = isScheduled ? variables : { ...variable_types, ...variables }
  for (const name of new Set([...placeholdersIn(text)].map((one) => one.name))) {
    if (notices.isFull) return
    if (name === 'secret' || name.startsWith('secret.')) {
      const message = `Runs fail: {{${name}}} stands in a prompt, and secrets go into headers and environments only.`
      notices.add('secret_in_prompt', pointer, message)
    } else if (name === 'input' || Object.hasOwn(given, name)) {
      continue
    } else if (isScheduled) {
      const message = `Runs of the schedule fail: no variable is called {{${name}}}, and they have no input.`
      notices.add('unknown_variable', pointer, message, notices.suggest(name, Object.keys(given)))
    } else if (isNew && name.length > shortAtMost && !name.startsWith('input.')) {
      const meant = notices.suggest(name, [...Object.keys(given), 'input'])
      if (meant === undefined) continue
      const message = `Runs that are not given "${name}" fail: no variable is called {{${name}}}.`
      notices.add('unknown_variable', pointer, message, meant)
    }
  }
}

/** Tells of a placeholder in a text that is passed on as it is. */
export function noteUnfilled(notices: Notices, text: string, pointer: string): void {
  const [first] = placeholdersIn(text)
  if (!first) return
  const message = `{{${first.name}}} is not filled in here: the text is passed on as it is.`
  notices.add('nothing_filled_in', pointer, message)
}
