import { agentBytes, taskBytes } from '#src/agents/counted.ts'
import { publicEntry } from '#src/agents/memory/entry.ts'
import { mediaBytes } from '#src/agents/media/store-picture.ts'
import { sizeOf, sizeOfAll } from '#src/core/counts/quotas.ts'
import { postBytes } from '#src/feed/post.ts'
import type { Store } from '#src/ports/store.ts'
import { countedBytes } from '#src/runs/retention/bytes.ts'
import { gravesOf } from './graves.ts'

/** What the documents of an account take as they lie in the store: what its count has to come to. */
export async function takenBy(store: Store, accountId: string): Promise<number> {
  const own = { owner_id: accountId }
  const [agents, tasks, entries, shelves, media, revisions, runs, slots, posts, large, graves] =
    await Promise.all([
      store.characters.find(own),
      store.tasks.find(own),
      store.memory.find(own),
      store.secrets.find(own),
      store.media.find(own),
      store.character_revisions.find(own),
      store.runs.find(own),
      store.slots.find(own),
      store.posts.find(own),
      store.large_values.find(own),
      gravesOf(store, accountId),
    ])
  const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0)
  return (
    agentBytes(agents) +
    taskBytes(tasks) +
    sizeOf(...entries.map(publicEntry)) +
    sizeOfAll(shelves) +
    mediaBytes(media) +
    sum(revisions.map(({ character }) => character.length)) +
    sum(runs.map(countedBytes)) +
    sum(slots.map(({ bytes = 0 }) => bytes)) +
    sum(posts.map(postBytes)) +
    // What comes from other senders counts in their shares.
    sum(large.map(({ bytes, sender }) => (sender === undefined ? bytes : 0))) +
    graves
  )
}
