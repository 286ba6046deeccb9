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
import type { CharacterRevision } from './revision-record.ts'
import { settingsOf } from './sealed/keep.ts'
import { asSet } from './visibility/friends-level.ts'
import { withoutLostSettings, withoutLostTools } from './sealed/leave-out.ts'

/** An agent as it is to be restored, and what could not be restored. */
export interface Restoration {
  input: CharacterInput
  warnings: Warning[]
}

/**
 * An agent as a revision holds it, as input. It may have more tasks than one document may hold,
 * because tasks.create adds them one by one.
 * @throws Refusal `invalid_input` if the revision is no longer valid input
 */
export function keptCharacter({
  character,
  friends_private,
}: Pick<CharacterRevision, 'character' | 'friends_private'>): CharacterInput {
  // The text was written by us.
  const { heart, ...rest } = asSet(JSON.parse(character) as Character, friends_private)
  const profile = { ...rest, ...(heart && { heart: { ...heart, tasks: [] } }) }
  const input = parsed(CharacterInput, profile, '/character')
  const tasks = parsed(z.array(TaskInput), heart?.tasks ?? [], '/character/heart/tasks')
  return { ...input, ...(input.heart && { heart: { ...input.heart, tasks } }) }
}

/**
 * An agent as it was, ready to be restored. A revision holds no secrets, so triggers, tools, tool
 * servers and channels keep their current ones; one whose secret is gone too is switched off, because
 * a signed hook must not become open to everyone.
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

/** Members that only the platform sets keep their current values, without a warning. */
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
      'Its secret is no longer stored: the trigger is off until it is given a new one.'
    const pointer = `${at}/triggers/${i}/config/secret`
    warnings.push({ code: 'secret_lost', pointer, message })
    return { ...trigger, config, enabled: false }
  })
  const reliability = task.reliability && { ...task.reliability, pause_reason: null }
  const whole = { ...task, triggers, reliability, rating_summary: null }
  return without(whole, platformMembersOfTask)
}
