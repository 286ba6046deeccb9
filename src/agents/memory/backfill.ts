import { timestamp } from '#src/core/time.ts'
import { DuplicateKey, type Store } from '#src/ports/store.ts'
import { wordsOf } from './words.ts'

/** The record that says that every entry has the words that it is found by. */
const filled = 'memory_words_filled'
/** A value is 64 KB at most. */
const atOnce = 20

type Needed = Pick<Store, 'memory' | 'meta'>

/** Adds their words, once, to the entries of a store that is older than the search in memory. */
export async function fillMemoryWords(store: Needed, now: Date): Promise<void> {
  if (await store.meta.get(filled)) return
  for (let after = ''; ;) {
    const page = { sort: { id: 1 }, limit: atOnce } as const
    const entries = await store.memory.find({ id: { $gt: after } }, page)
    for (const { id, revision, value, words } of entries) {
      // Entries of before have none. One that is changed meanwhile gets its own.
      if (words !== undefined) continue
      await store.memory.update({ id, revision }, { $set: { words: wordsOf(value) } })
    }
    const last = entries.at(-1)
    if (!last) break
    after = last.id
  }
  await store.meta.insert({ id: filled, value: timestamp(now) }).catch((cause: unknown) => {
    // Another process has done the same.
    if (!(cause instanceof DuplicateKey)) throw cause
  })
}
