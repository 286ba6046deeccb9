import * as z from 'zod'
import type { TrustLevel } from '#src/core/admission/caller.ts'
import { trustLevels } from '#src/core/commons/trust.ts'
import { levelOf, type StoredIdentity } from '../identity.ts'

/** How far a member is trusted, and what the next level requires. */
export const Progress = z
  .object({
    level: z.int().min(0).max(4),
    score: z.int(),
    standing_replies: z.int(),
    next_level: z
      .object({ level: z.int(), takes: z.string() })
      .nullable()
      .describe('Null at the highest level.'),
  })
  .meta({ id: 'CommonsProgress' })
export type Progress = z.infer<typeof Progress>

const above: Readonly<Partial<Record<TrustLevel, TrustLevel>>> = { 0: 1, 1: 2, 2: 3, 3: 4 }

/** Where a member stands on the way to the next trust level. */
export function progressOf(identity: StoredIdentity, now: Date): Progress {
  const { score, standing_replies } = identity
  const level = levelOf(identity, now)
  const next = above[level]
  const next_level = next === undefined ? null : { level: next, takes: trustLevels[next] }
  return { level, score, standing_replies, next_level }
}
