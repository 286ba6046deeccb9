/** An agent as it once was, kept under `char_id@revision` with its tasks. */
export interface CharacterRevision {
  id: string
  char_id: string
  owner_id: string
  revision: number
  /** The JSON text of the agent as read then. */
  character: string
  /** The key that made it so. */
  actor: string
  created_at: string
}

/** The key of a revision. */
export function characterRevisionId(charId: string, revision: number): string {
  return `${charId}@${revision}`
}
