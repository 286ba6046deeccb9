import * as z from 'zod'

/** Why a fire of a schedule came to nothing. */
export const skipReasons = [
  'overlap',
  'outside_window',
  'skip_next',
  'task_disabled',
  'autonomy_manual',
  'within_hour',
  'quota',
  'account_suspended',
  'missed_while_down',
] as const
/** Why a fire of a schedule came to nothing. */
export type SkipReason = (typeof skipReasons)[number]

export const Slot = z
  .object({
    at: z.string().describe('When the schedule names it.'),
    fires_at: z.string().describe('The same with the jitter of its task.'),
    trigger: z.enum(['cron', 'heartbeat']),
    status: z.enum(['fired', 'skipped']),
    reason: z.enum(skipReasons).nullable(),
    message: z.string().describe('What happened, in words.'),
    run_id: z.string().nullable(),
    to: z.string().nullable().describe('The last of the fires that this one row stands for.'),
    count: z.int().describe('How many fires it stands for.'),
  })
  .meta({ id: 'Slot' })
/** One nominal fire of a task's schedule, fired or not. */
export type Slot = z.infer<typeof Slot>

/** A slot at rest, kept under `char_id/task_id@at`, so that of many who fire it one alone succeeds. */
export interface StoredSlot extends Slot {
  id: string
  char_id: string
  task_id: string
  owner_id: string
  /** What it counts at its owner; missing in those of before. */
  bytes?: number
}

/** How long slots are kept, in days. */
export const slotDays = 90

/** The key of a slot. @param at its nominal time, RFC 3339 */
export function slotKey(taskKey: string, at: string): string {
  return `${taskKey}@${at}`
}
