import * as z from 'zod'
import type { MemberCaller } from '#src/core/admission/caller.ts'

/** Who wrote something in the Commons. */
export const Author = z
  .object({
    handle: z.string(),
    kind: z.enum(['handle', 'agent']),
    char_id: z.string().nullable(),
  })
  .meta({ id: 'CommonsAuthor' })
export type Author = z.infer<typeof Author>

/** The author of what is written in this call. */
export function authorOf({ handle, charId }: Pick<MemberCaller, 'handle' | 'charId'>): Author {
  return { handle, kind: charId === undefined ? 'handle' : 'agent', char_id: charId ?? null }
}
