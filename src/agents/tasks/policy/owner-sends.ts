import { isDeepStrictEqual } from 'node:util'
import { toolsWith } from '#src/agents/sealed/insert.ts'
import { sendingMembers, sendingsOf, sendingText } from '#src/agents/secrets/sendings.ts'
import type { StoredTask } from '../task.ts'
import { isOwner, type Author } from './owner-only.ts'

/** How many places are remembered; the secrets of further ones wait for the owner again. */
const rememberedAtMost = 100

/**
 * Where the owner has had a task send its secrets, once a key that acts as the agent writes it: within
 * these places its changes need no approval. What the owner writes next replaces them.
 */
export function ownersSends(
  {
    author,
    previous,
    next,
  }: { author: Author | undefined; previous: StoredTask | undefined; next: StoredTask },
  secretsOf: (task: StoredTask) => Readonly<Record<string, string>>,
): string[] {
  if (!previous) return []
  const before = previous.owner_sends ?? []
  const isSame = sendingMembers.every((name) => isDeepStrictEqual(previous[name], next[name]))
  if (isSame) return before
  if (!author || isOwner(author) || previous.selected_secrets.length === 0) return []
  const { tools } = toolsWith(previous, secretsOf(previous))
  const sent = sendingsOf({ task: previous, tools, servers: [], agentsWords: [] })
  const owners = sent.filter(({ isOwners }) => isOwners)
  const all = owners.map(({ secret, origin }) => sendingText(secret, origin))
  return [...new Set([...before, ...all])].slice(-rememberedAtMost)
}
