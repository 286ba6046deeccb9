import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { kindOf, type Kind } from './kinds.ts'

/** One thing to name, with what leads to it. */
export interface NewsItem {
  kind: Kind
  char_id: string | null
  task_id: string | null
  run_id: string | null
  approval_id: string | null
}

/** Something that happened in an account, until it is known who is to be told of it. */
export interface News {
  id: string
  owner_id: string
  kind: Kind
  /** How often it happened. */
  count: number
  /** The first of them. */
  items: NewsItem[]
  at: string
}

/** How many things a mail names; of more it says how many. */
export const namedAtMost = 10

/** The write that has persons told of something, for the commit of its cause. */
export function newsWrite(
  { owner_id, kind, count, items }: Pick<News, 'owner_id' | 'kind' | 'count' | 'items'>,
  now: Date,
): Write {
  const named = items.slice(0, namedAtMost)
  const insert: News = { id: newId('nws'), owner_id, kind, count, items: named, at: timestamp(now) }
  return { in: 'news', insert }
}

/** What the new notices of a commit have persons told of, for the same commit. Those of runs count runs, and bring their own. */
export function alsoTold(writes: readonly Write[], now: Date): Write[] {
  return writes.flatMap((write) => {
    if (write.in !== 'notices' || !('insert' in write)) return []
    const { type, owner_id, char_id, task_id, run_id, approval_id } = write.insert
    const kind = kindOf(type)
    if (kind === undefined || kind === 'run_failed') return []
    const items = [{ kind, char_id, task_id, run_id, approval_id }]
    return [newsWrite({ owner_id, kind, count: 1, items }, now)]
  })
}
