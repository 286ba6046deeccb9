import * as z from 'zod'

/**
 * An agent as it was before a change, stored under `char_id@revision`; actor, time and changed members
 * are those of the change that ended it.
 */
export interface CharacterRevision {
  id: string
  char_id: string
  owner_id: string
  revision: number
  /** The key that changed it. */
  actor: string
  created_at: string
  changed: string[]
  /** The JSON text of the agent with its tasks, as reads returned it then. */
  character: string
  /** That of the agent; it is not in its text. */
  friends_private?: true
  /** The length of that text; revisions of before do not say it. */
  size?: number
  /** How many revisions of the agent are kept with this one, the newest, and the length of their texts. */
  kept: { count: number; characters: number }
}

export const RevisionShown = z
  .object({
    revision: z.int().describe('The agent as it was before the change'),
    actor: z.string().describe('The id of the key that made the change'),
    created_at: z.string().describe('When the change was made'),
    changed: z.array(z.string()).describe('The members that it changed'),
  })
  .meta({ id: 'CharacterRevision' })

/** The key of a revision. */
export function characterRevisionId(charId: string, revision: number): string {
  return `${charId}@${revision}`
}
