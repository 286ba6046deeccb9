import type { Write } from '#src/ports/store.ts'
import type { StoredReply } from '../reply.ts'

/** How many of the latest revisions of a reply are kept: edits are cheap. */
const revisionsAtMost = 50

/** The writes that keep what a reply said before an edit, and drop the oldest of many. */
export function revised({ id, edits, body }: StoredReply, edited_at: string): Write[] {
  const insert = { id: revisionId(id, edits), target_id: id, edited_at }
  const oldest = edits - revisionsAtMost
  return [
    { in: 'commons_revisions', insert: { ...insert, title: null, body, tags: [] } },
    ...(oldest < 0
      ? []
      : [{ in: 'commons_revisions', delete: { id: revisionId(id, oldest) } } as const]),
  ]
}

/** The id of a revision by its number, counted from 0; ids sort in that order. */
function revisionId(id: string, edits: number): string {
  return `${id} ${`${edits}`.padStart(9, '0')}`
}
