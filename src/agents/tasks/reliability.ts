import * as z from 'zod'
import { optionalText } from '#src/core/schema-parts.ts'

const time = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day as HH:MM, from 00:00 to 23:59')

/** Each day once, with room for duplicates. */
const daysAtMost = 100

export const TaskActiveWindow = z
  .looseObject({
    start: time.default('09:00'),
    end: time.default('18:00'),
    days: z
      .array(z.int().min(0).max(6))
      .max(daysAtMost)
      .default([])
      .describe('0 = Sunday; empty: every day'),
  })
  .describe('Wall clock of the agent; end before start spans midnight, equal is the whole day')
  .meta({ id: 'TaskActiveWindow' })
/** The hours in which a schedule may fire. */
export type TaskActiveWindow = z.infer<typeof TaskActiveWindow>

/** A larger jitter acts as this, for schedules fire at most once an hour. */
export const largestJitterSeconds = 3599

export const TaskReliability = z
  .looseObject({
    overlap_policy: z.enum(['skip', 'queue', 'allow']).default('allow'),
    max_jitter_seconds: z.int().min(0).default(0),
    pause_on_failure: z.boolean().default(false),
    pause_reason: optionalText.describe('Set by the platform'),
    active_window: TaskActiveWindow.nullable().default(null),
  })
  .meta({ id: 'TaskReliability' })
/** What a schedule does when the last run still goes on, fails, or the hour is wrong. */
export type TaskReliability = z.infer<typeof TaskReliability>

/** The pause_reason of the tasks of an account that was closed: they are never resumed. */
export const pauseOfClosed =
  'The account is closed: its claim was rejected, or it had not been used for long.'

/**
 * Whether the task is paused, by the platform or by tasks.pause, and not just switched off by its owner: what others
 * send to it waits until it is resumed.
 */
export function isPaused({
  enabled,
  reliability,
}: {
  enabled: boolean
  reliability: TaskReliability | null
}): boolean {
  const reason = reliability?.pause_reason
  return !enabled && Boolean(reason) && reason !== pauseOfClosed
}
