import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { Files } from '#src/ports/files.ts'
import type { Store } from '#src/ports/store.ts'

/** A file without a document after this time is an orphan: its writer has long committed or died. */
const orphanSeconds = 3600
/** The pause after a pass over all files. */
const restSeconds = 600

type Speaking = Pick<Store, 'media' | 'knowledge_items'>

/** Which of these files documents refer to. Every collection that refers to files is checked here. */
export async function spokenOf(store: Speaking, ids: readonly string[]): Promise<Set<string>> {
  const [media, items] = await Promise.all([
    store.media.text({ id: { $in: ids } }),
    store.knowledge_items.text({ id: { $in: ids }, upload: true }),
  ])
  return new Set([...media, ...items].map(({ id }) => id))
}

interface Walk {
  /** The last file that was checked. */
  after: string
  /** Milliseconds; nothing is checked before. */
  restsUntil: number
}

const walks = new WeakMap<Files, Walk>()

/** Deletes files that no document refers to: each call checks some. */
export const purgeFiles: Purge = async ({ files, store }, now) => {
  const { after, restsUntil } = walks.get(files) ?? { after: '', restsUntil: 0 }
  if (now.getTime() < restsUntil) return false
  const before = new Date(secondsAfter(now, -orphanSeconds))
  const old = await files.keptBefore(before, after, purgedAtOnce)
  if (old.length < purgedAtOnce) {
    walks.set(files, { after: '', restsUntil: now.getTime() + restSeconds * 1000 })
  } else {
    walks.set(files, { after: old.at(-1) ?? '', restsUntil: 0 })
  }
  if (old.length === 0) return false
  const spoken = await spokenOf(store, old)
  const unspoken = old.filter((id) => !spoken.has(id))
  await files.delete(unspoken)
  return unspoken.length === purgedAtOnce
}
