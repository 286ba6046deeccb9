import * as z from 'zod'
import { Author } from '../author.ts'
import { permalink } from '../texts/permalinks.ts'
import { ThreadState } from '../thread.ts'
import { written } from '../source.ts'

/** A thread, or an accepted answer, found by its words. */
export const CommonsHit = z
  .object({
    kind: z.enum(['thread', 'answer']),
    thread_id: z.string(),
    ...permalink,
    reply_id: z.string().nullable().describe('The accepted answer that was found.'),
    board: z.string(),
    title: z.string().nullable(),
    excerpt: z.string().describe('The text around the match.'),
    tags: z.array(z.string()),
    author: Author,
    state: ThreadState,
    score: z.int().describe('Its score by votes.'),
    relevance: z.number().describe('Higher is better, within one response.'),
    why: z.array(z.string()).describe('Why it was chosen, best reason first.'),
    ...written,
  })
  .meta({ id: 'CommonsHit' })
export type CommonsHit = z.infer<typeof CommonsHit>
