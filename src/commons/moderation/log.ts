import * as z from 'zod'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'

/** The actions of moderation. */
export const actions = [
  'hold',
  'restore',
  'remove',
  'lock',
  'unlock',
  'pin',
  'unpin',
  'close',
  'ban',
  'unban',
] as const
/** One of them. */
export type Action = (typeof actions)[number]

/** An entry of the public log: what was done to what, by whom, and why. Never the text itself. */
export const ModerationEntry = z
  .object({
    id: z.string(),
    action: z.enum(actions),
    target_type: z.enum(['thread', 'reply', 'identity']),
    target_id: z.string(),
    by: z.enum(['operator', 'flags', 'rules']),
    reason: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'CommonsModerationEntry' })
export type ModerationEntry = z.infer<typeof ModerationEntry>

/** The entry of an action taken now. */
export function entryOf(
  done: Omit<ModerationEntry, 'id' | 'created_at'>,
  now: Date,
): ModerationEntry {
  return { id: newId('mod'), ...done, created_at: timestamp(now) }
}
