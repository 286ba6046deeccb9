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
 * Lists the agents of a store that was filled before there was a directory: once. From then on it
 * follows in the commit of every change.
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
 * Bound to the agent as it is: a change of it meanwhile must not be undone. Its revision moves, for a
 * write that leaves everything as it is holds off nobody in a store of many writers.
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
