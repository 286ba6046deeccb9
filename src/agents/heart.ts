import * as z from 'zod'
import { heartbeatMinutes } from './tasks/heartbeat.ts'
import { Timezone } from './tasks/timezone.ts'
import { Task, TaskInput } from './tasks/task.ts'

/** How many tasks one document may hold: each becomes a separate document in the same commit. */
export const tasksAtMost = 200

/** Runs, slots and addresses identify a task by its id within its agent. */
function uniqueIds(tasks: readonly TaskInput[], context: z.RefinementCtx): void {
  const seen = new Set<string>()
  for (const [i, { task_id: id }] of tasks.entries()) {
    if (id === null) continue
    if (seen.has(id)) {
      const message = otherTaskId(id)
      const params = { code: 'duplicate_task_id' }
      context.addIssue({ code: 'custom', path: [i, 'task_id'], message, params })
    }
    seen.add(id)
  }
}

/** The words of the fault `duplicate_task_id`. */
export function otherTaskId(id: string): string {
  return `"${id}" is the id of another task of this agent`
}

const settings = {
  heartbeat_interval: z
    .string()
    .refine((text) => heartbeatMinutes(text) !== undefined, {
      error: 'must be a duration such as "90m", "2h" or "PT2H"',
      params: { code: 'invalid_duration' },
    })
    .nullable()
    .default(null)
    .describe('"90m", "2h" or "PT2H", at least an hour: runs the task called heartbeat'),
  timezone: Timezone.nullable().default(null).describe('IANA name; null is UTC'),
}

export const HeartInput = z
  // The tasks come first, also in stored text: reads insert them there.
  .looseObject({
    tasks: z.array(TaskInput).max(tasksAtMost).superRefine(uniqueIds).default([]),
    ...settings,
  })
  .meta({ id: 'HeartSchema' })
/** An agent's rhythm and its tasks, as sent. */
export type HeartInput = z.infer<typeof HeartInput>

export const Heart = z.looseObject({ tasks: z.array(Task), ...settings }).meta({ id: 'Heart' })
/** An agent's rhythm and its tasks, as read. */
export type Heart = z.infer<typeof Heart>
