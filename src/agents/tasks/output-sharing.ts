import * as z from 'zod'
import { optionalText, texts } from '#src/core/schema-parts.ts'
import { CharacterId } from '../name.ts'

export const TaskOutputSharing = z
  .looseObject({
    enabled: z.boolean().default(false),
    target_agent_id: optionalText,
    target_task_id: optionalText.describe(
      'Runs exactly this task; empty: a message, which runs what has a message trigger',
    ),
    message_prefix: optionalText,
    handoff_artifact: optionalText,
    handoff_memory_key: CharacterId.nullable().default(null),
  })
  .meta({ id: 'TaskOutputSharing' })
/** To whom a task's result is handed. */
export type TaskOutputSharing = z.infer<typeof TaskOutputSharing>

export const TaskSocialPosting = z
  .looseObject({
    enabled: z.boolean().default(false),
    channels: texts,
    message_prefix: optionalText,
  })
  .meta({ id: 'TaskSocialPosting' })
/** To which control channels a task's result is posted; if none is named, to the default one. */
export type TaskSocialPosting = z.infer<typeof TaskSocialPosting>
