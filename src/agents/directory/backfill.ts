import { retryUnmet } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { entryOf, isListed } from './entry.ts'
import { listed } from './sync.ts'

/** The record that says that the directory holds every agent that is listed. */
const filled = 'directory_filled'
/** Agents may be large, so few are read at a time. */
const atOnce = 20

/**
 * Lists, once, the agents of a store that is older than the directory. From then on the commit of
 * every change updates it.
 */
export async function fillDirectory(store: Store, now: Date): Promise<void> {
  if (await store.meta.get(filled)) return
  for (let after = ''; ;) {
    const page = { sort: { id: 1 }, limit: atOnce } as const
    const characters = await store.characters.find({ id: { $gt: after } }, page)
    for (const character of characters) if (isListed(character)) await list(store, character.id)
    const last = characters.at(-1)
    if (!last) break
    after = last.id
  }
  await store.meta.insert({ id: filled, value: timestamp(now) }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
}

/**
 * Bound to the agent as read: a concurrent change must not be undone. Its revision is increased,
 * because a write that changes nothing conflicts with no other writer in a store with many writers.
 */
async function list(store: Store, id: string): Promise<void> {
  await retryUnmet(async () => {
    const character = await store.characters.get(id)
    const entry = character && entryOf(character)
    if (!entry) return
    const { revision } = character
    await store.commit([
      { in: 'characters', update: { id, revision }, change: { $inc: { revision: 1 } } },
      ...listed(entry),
    ])
  })
}
