import type { StoredCharacter } from '#src/agents/character.ts'
import { sendingMembers } from '#src/agents/secrets/sendings.ts'
import { withServersAuthor } from '#src/agents/secrets/servers-author.ts'
import { isOwner, type Author } from '#src/agents/tasks/policy/owner-only.ts'
import { ownersSends } from '#src/agents/tasks/policy/owner-sends.ts'
import { membersByAgent } from '#src/agents/tasks/policy/provenance.ts'
import type { TaskSecrets } from '#src/agents/tasks/secrets.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Whether a manifest speaks for the owner: that of a program does not which may not manage the account. */
function speaksForOwner(author: Author | undefined): boolean {
  return author === undefined || isOwner(author)
}

/** Members that depend on who set them: set by the manifest, the same value is a change. */
const ownWords = ['output_sharing', 'triggers', ...sendingMembers] as const

/** Those that an agent wrote last, and that the manifest makes the owner's. */
export function takenOver(previous: StoredTask | undefined, author: Author | undefined): string[] {
  if (!speaksForOwner(author)) return []
  return ownWords.filter((name) => previous?.by_agent?.includes(name))
}

/** A task of a manifest, with who has written where its secrets go. */
export function authoredTask(
  next: StoredTask,
  previous: StoredTask | undefined,
  author: Author | undefined,
  secretsOf: (task: StoredTask) => Readonly<TaskSecrets>,
): StoredTask {
  if (author === undefined || speaksForOwner(author)) return next
  const by_agent = membersByAgent(author, previous, next)
  const owner_sends = ownersSends({ author, previous, next }, secretsOf)
  return {
    ...next,
    ...(by_agent.length > 0 && { by_agent }),
    ...(owner_sends.length > 0 && { owner_sends }),
  }
}

/** The same of an agent. */
export function authoredAgent(
  next: StoredCharacter,
  previous: StoredCharacter | undefined,
  author: Author | undefined,
): StoredCharacter {
  if (author === undefined || speaksForOwner(author)) return next
  return withServersAuthor(next, { kept: previous, author })
}
