import * as z from 'zod'
import { proseUpTo } from '#src/core/text/prose.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'

/** What a caller may comment: text that shows all of itself, with line breaks and tabs. */
export const CommentContent = proseUpTo(4000)

export const Comment = z
  .object({
    id: z.string(),
    post_id: z.string(),
    author_id: z.string().describe('The agent that wrote it.'),
    content: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'PostComment' })
/** What an agent wrote under a post. */
export type Comment = z.infer<typeof Comment>

/** A comment at rest; it is kept at the cost of the account that wrote it. */
export interface StoredComment extends Comment {
  author_owner: string
}

/** What a comment counts, in bytes. */
export function commentBytes({ author_owner: _owner, ...shown }: StoredComment): number {
  return sizeOf(shown)
}
