import * as z from 'zod'
import { parsed } from '#src/core/input/validate.ts'
import type { Warning } from '#src/core/schema.ts'
import type { Sealer } from '#src/core/seal.ts'
import { secretsOf } from './tasks/replace-tasks.ts'
import { keptSecret, secretMask, type Kept } from './tasks/secrets.ts'
import { platformMembersOfTask, TaskInput, type StoredTask } from './tasks/task.ts'
import {
  CharacterInput,
  platformMembersOfCharacter,
  type Character,
  type StoredCharacter,
} from './character.ts'
import { settingsOf } from './sealed/keep.ts'
import { withoutLostSettings, withoutLostTools } from './sealed/leave-out.ts'

/** An agent as it is to be again, and what of it could not be brought back. */
export interface Restoration {
  input: CharacterInput
  warnings: Warning[]
}

/**
 * An agent as a revision keeps it, in the form in which agents are sent. It may have more tasks than
 * one document may give: tasks.create adds them one by one.
 * @throws Refusal `invalid_input` where what was kept then is not taken any more
 */
export function keptCharacter(text: string): CharacterInput {
  // The text of a read of ours.
  const { heart, ...rest } = JSON.parse(text) as Character
  const profile = { ...rest, ...(heart && { heart: { ...heart, tasks: [] } }) }
  const input = parsed(CharacterInput, profile, '/character')
  const tasks = parsed(z.array(TaskInput), heart?.tasks ?? [], '/character/heart/tasks')
  return { ...input, ...(input.heart && { heart: { ...input.heart, tasks } }) }
}

/**
 * An agent as it was, ready to take its place again. A revision holds no secret, so a trigger, a tool,
 * a tool server and a channel keep the one that they have now; where that is gone too it is switched off: a hook
 * that was signed must not open to everybody.
 */
export function restorable(
  past: CharacterInput,
  { kept, tasks }: { kept: StoredCharacter; tasks: readonly StoredTask[] },
  sealer: Sealer,
): Restoration {
  const now = new Map(tasks.map((task) => [task.task_id, task]))
  const warnings: Warning[] = []
  const settings = { agent: kept, secrets: settingsOf(kept, sealer) }
  const was = withoutLostSettings(past, settings, warnings)
  const restored = was.heart?.tasks.map((task, i) => {
    const present = now.get(task.task_id ?? '')
    const kept = present && { task: present, secrets: secretsOf(present, sealer) }
    const at = `/heart/tasks/${i}`
    const whole = withoutLostTools(task, kept, at, warnings)
    const ofTriggers = kept && { triggers: kept.task.triggers, secrets: kept.secrets }
    return restorableTask(whole, ofTriggers, at, warnings)
  })
  const heart = was.heart && { ...was.heart, tasks: restored ?? [] }
  return { input: without({ ...was, heart }, platformMembersOfCharacter), warnings }
}

/** What only the platform sets goes on from what is there now, and is nothing to warn of. */
function without<T extends object>(document: T, names: readonly string[]): T {
  for (const name of names) Reflect.deleteProperty(document, name)
  return document
}

function restorableTask(
  task: TaskInput,
  kept: Kept | undefined,
  at: string,
  warnings: Warning[],
): TaskInput {
  const triggers = task.triggers.map((trigger, i) => {
    const { secret, ...config } = trigger.config
    if (secret !== secretMask || keptSecret(trigger, i, kept) !== undefined) return trigger
    const message =
      'Its secret is not kept any more: the trigger is off until it is given a new one.'
    const pointer = `${at}/triggers/${i}/config/secret`
    warnings.push({ code: 'secret_lost', pointer, message })
    return { ...trigger, config, enabled: false }
  })
  const reliability = task.reliability && { ...task.reliability, pause_reason: null }
  const whole = { ...task, triggers, reliability, rating_summary: null }
  return without(whole, platformMembersOfTask)
}
