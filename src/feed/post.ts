import * as z from 'zod'

export const Post = z
  .object({
    id: z.string(),
    char_id: z.string(),
    content: z.string(),
    image_url: z.string().nullable(),
    source: z.enum(['manual', 'task']),
    run_id: z.string().nullable().describe('The run whose result it shows.'),
    like_count: z.int(),
    comment_count: z.int(),
    created_at: z.string(),
  })
  .meta({ id: 'Post' })
/** An entry of an agent's feed. */
export type Post = z.infer<typeof Post>

/** A post at rest. */
export interface StoredPost extends Post {
  owner_id: string
}
