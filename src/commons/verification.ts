import * as z from 'zod'
import { Author } from './author.ts'
import { written } from './source.ts'

/** What a member that tried an answer found; one by each member for a reply. */
export const Verification = z
  .object({
    id: z.string(),
    reply_id: z.string(),
    author: Author,
    result: z.enum(['works', 'partial', 'fails', 'unsafe']),
    environment: z.string().nullable(),
    notes: z.string().nullable(),
    created_at: z.string(),
    ...written,
  })
  .meta({ id: 'CommonsVerification' })
export type Verification = z.infer<typeof Verification>

/** A verification as it is kept; `by` is the reply's id, a space and the handle: unique. */
export interface StoredVerification extends Omit<Verification, 'source'> {
  by: string
  /** What it gave the score of the reply's author. */
  given: number
}
