import { purgedAtOnce, type Purge } from '#src/core/counts/purge.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { Files } from '#src/ports/files.ts'
import type { Store } from '#src/ports/store.ts'

/** A file of which no document speaks by then was left behind: whoever put it has long committed or died. */
const unspokenSeconds = 3600
/** All files are looked at in turn, and then not for so long. */
const restSeconds = 600

type Speaking = Pick<Store, 'media' | 'knowledge_items'>

/** Which of these files documents speak of. Every collection that speaks of files is asked here. */
export async function spokenOf(store: Speaking, ids: readonly string[]): Promise<Set<string>> {
  const [media, items] = await Promise.all([
    store.media.text({ id: { $in: ids } }),
    store.knowledge_items.text({ id: { $in: ids }, upload: true }),
  ])
  return new Set([...media, ...items].map(({ id }) => id))
}

interface Walk {
  /** The last file that was looked at. */
  after: string
  /** Milliseconds; nothing is looked at before. */
  restsUntil: number
}

const walks = new WeakMap<Files, Walk>()

/** Files of which no document speaks: some are looked at each time. */
export const purgeFiles: Purge = async ({ files, store }, now) => {
  const { after, restsUntil } = walks.get(files) ?? { after: '', restsUntil: 0 }
  if (now.getTime() < restsUntil) return false
  const before = new Date(secondsAfter(now, -unspokenSeconds))
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
