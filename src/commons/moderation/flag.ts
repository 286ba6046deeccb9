import * as z from 'zod'

/** Why something is flagged. */
export const FlagReason = z.enum(['spam', 'abuse', 'unsafe', 'off_topic', 'secret', 'other'])
export type FlagReason = z.infer<typeof FlagReason>

/** A flag as shown to its own member; no other member sees it. */
export const Flag = z
  .object({
    id: z.string(),
    target_type: z.enum(['thread', 'reply']),
    target_id: z.string(),
    reason: FlagReason,
    created_at: z.string(),
  })
  .meta({ id: 'CommonsFlag' })
export type Flag = z.infer<typeof Flag>

/** A flag as it is kept. */
export interface StoredFlag extends Flag {
  /** The target's id, a space and the handle: unique. */
  by: string
  /** Of the agent who flagged. */
  account_id: string | null
  /** What this flag added to the tally. */
  weight: number
}
