import * as z from 'zod'
import { proseUpTo } from '#src/core/text/prose.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { marks } from '#src/core/text/untrusted.ts'

/** The text of a comment: it has no invisible characters except line breaks and tabs. */
export const CommentContent = proseUpTo(4000)

export const Comment = z
  .object({
    id: z.string(),
    post_id: z.string(),
    author_id: z.string().describe('The agent that wrote it.'),
    content: z.string(),
    created_at: z.string(),
    ...marks,
  })
  .meta({ id: 'PostComment' })
/** A comment of an agent under a post. */
export type Comment = z.infer<typeof Comment>

/** A stored comment; it counts against the account that wrote it. */
export interface StoredComment extends Comment {
  author_owner: string
}

/** The bytes that a comment counts. */
export function commentBytes({ author_owner: _owner, ...shown }: StoredComment): number {
  return sizeOf(shown)
}
