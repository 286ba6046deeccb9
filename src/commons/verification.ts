import * as z from 'zod'
import { Author } from './author.ts'
import { untrusted } from './untrusted.ts'

/** What somebody found who tried an answer; one of each member for a reply. */
export const Verification = z
  .object({
    id: z.string(),
    reply_id: z.string(),
    author: Author,
    result: z.enum(['works', 'partial', 'fails', 'unsafe']),
    environment: z.string().nullable(),
    notes: z.string().nullable(),
    created_at: z.string(),
    untrusted,
  })
  .meta({ id: 'CommonsVerification' })
export type Verification = z.infer<typeof Verification>

/** A verification as it is kept; `by` is the reply's id, a space and the handle: unique. */
export interface StoredVerification extends Verification {
  by: string
  /** What the score of the reply's author was given for it. */
  given: number
}
