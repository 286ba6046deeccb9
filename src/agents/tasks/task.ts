import * as z from 'zod'
import type { Slim } from '#src/core/input/slim.ts'
import {
  enabled,
  optionalText,
  partsAtMost,
  textMap,
  texts,
  type Named,
} from '#src/core/schema-parts.ts'
import { CharacterId, PlainName } from '../name.ts'
import { ApprovalGate, Quorum } from './approval-gate.ts'
import { RatingSummary, TaskFormSchema } from './form.ts'
import { OutputSchema } from './output/schema.ts'
import { TaskReliability } from './reliability.ts'
import { runtimeNames } from './runtimes.ts'
import { TaskOutputSharing, TaskSocialPosting } from './output-sharing.ts'
import { TaskArtifactStore, TaskTool } from './tool.ts'
import { Trigger, triggersAtMost } from './trigger.ts'

const yes = z.boolean().default(true)
const [brain, ...others] = runtimeNames

/** The highest price of a service, in the smallest unit of the currency. */
export const priceAtMost = 99_999_999

const members = {
  order: z.int().default(0),
  name: PlainName,
  prompt: z.string().default('').describe('{{name}} takes a variable or a member of the input'),
  autonomy: optionalText,
  skip_next_run_at: optionalText,
  variables: textMap,
  variable_types: textMap,
  triggers: z.array(Trigger).max(triggersAtMost).default([]),
  tools: z.array(TaskTool).max(partsAtMost).default([]),
  runtime: optionalText.describe(
    `${brain} (null), ${others.slice(0, -1).join(', ')} or ${others.at(-1)}`,
  ),
  runtime_mode: optionalText,
  model_override: optionalText,
  router_model: optionalText,
  container_image: optionalText,
  container_command: optionalText,
  shell_command: optionalText,
  workflow_entry: optionalText,
  api_url: optionalText,
  artifact_stores: z.array(TaskArtifactStore).max(partsAtMost).default([]),
  output_path: optionalText,
  memory_namespace: CharacterId.nullable().default(null),
  description: optionalText,
  enabled,
  public: yes,
  selected_secrets: texts,
  selected_connections: texts,
  output_sharing: TaskOutputSharing.nullable().default(null),
  social_posting: TaskSocialPosting.nullable().default(null),
  post_to_feed: yes,
  rating_summary: RatingSummary.nullable().default(null),
  service_enabled: z.boolean().default(false),
  public_title: optionalText,
  cta_label: optionalText,
  price_cents: z.int().min(0).max(priceAtMost).nullable().default(null),
  payment_price_id: optionalText,
  form_schema: TaskFormSchema.nullable().default(null),
  satellite_category: optionalText,
  quorum: Quorum.nullable().default(null),
  approval_gate: ApprovalGate.nullable().default(null),
  reliability: TaskReliability.nullable().default(null),
  output_schema: OutputSchema.nullish(),
  step_timeout_seconds: z.int().min(1).max(3600).default(120),
  tags: texts,
}

export const TaskInput = z
  .looseObject({ task_id: CharacterId.nullable().default(null), ...members })
  .meta({ id: 'TaskDefinition' })
/** A task as callers send it, defaults filled in. */
export type TaskInput = z.infer<typeof TaskInput>

export const Task = z
  .looseObject({
    task_id: CharacterId,
    char_id: z.string(),
    revision: z.int(),
    ...members,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Task' })
/** A task as every read returns it. */
export type Task = z.infer<typeof Task>

/** What a summary shows of a task. */
export const slimTask: Slim = {
  summary: [
    'task_id',
    'char_id',
    'name',
    'description',
    'prompt',
    'runtime',
    'enabled',
    'triggers',
    'output_sharing',
    'approval_gate',
    'revision',
  ],
}

/** A task as stored, with members that no read returns. */
export type StoredTask = Named<Task> & {
  /** `char_id/task_id`. */
  id: string
  owner_id: string
  app_id: string | null
  /** The sealed secrets that its triggers and its tools show as `***`: `TaskSecrets`. */
  trigger_secrets: string | null
  /** When its schedule fires next, RFC 3339, also while it is not enabled; null if it has none. */
  due_at: string | null
  /** It was enabled again at this time, RFC 3339, before all fires up to then were told. */
  disabled_until?: string | null
  /** When its schedule named the last fire that came, RFC 3339: for an hour around it no other comes. */
  last_fire?: string
  /** Its account if it has a trigger of type `event`, as an index of the tasks that may listen. */
  reacts: string | null
  /** The calls that its triggers wait for: `callsOf`. */
  awaited_calls: string[] | null
  /** The run that waits for the previous one to end, if fires of its schedule queue up. */
  waiting_run?: string | null
  /** How many fires of its schedule started a run, as `fired`, and how many did not, by reason. */
  fire_counts?: Partial<Record<string, number>>
  /** The members that a key acting as the agent wrote last; absent if there are none. */
  by_agent?: string[]
  /** Where its owner had it send secrets before such a key changed it, as `secret origin`. */
  owner_sends?: string[]
  /** It was paused with its app, and is resumed with it. */
  app_paused?: boolean
  /** The sum of stars of its ratings, one per payer; rating_summary has their average and count. */
  rating_sum?: number
}

/** The members of a task that only the platform sets; values sent for them are ignored. */
export const platformMembersOfTask = [
  'id',
  'char_id',
  'owner_id',
  'app_id',
  'revision',
  'trigger_secrets',
  'due_at',
  'disabled_until',
  'last_fire',
  'reacts',
  'awaited_calls',
  'waiting_run',
  'fire_counts',
  'rating_sum',
  'by_agent',
  'owner_sends',
  'app_paused',
  'created_at',
  'updated_at',
  'warnings',
] as const

/** The id of a stored task. */
export function taskKey(charId: string, taskId: string): string {
  return `${charId}/${taskId}`
}
