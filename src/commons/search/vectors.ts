import type { StoredThread } from '../thread.ts'

/** The vector of a thread, under the thread's id. */
export interface ThreadVector {
  id: string
  /** `provider/model`: vectors of another one cannot be compared. */
  model: string
  /** Which text it is of: the number of changes that the thread had had. */
  edits: number
  /** Numbers in it; 0 where the provider would not make one. */
  length: number
  /** As `dataOf` gives it. */
  data: string
  /** RFC 3339: those made lately are looked for. */
  made_at: string
}

/** How many of the newest threads are found by their meaning. */
export const threadsAtMost = 40_000

/** How much of a thread its vector is of, in characters. */
const charactersAtMost = 8_000

/** The text of a thread whose meaning is searched. */
export function meaningOf({ title, body }: Pick<StoredThread, 'title' | 'body'>): string {
  return `${title ?? ''}\n\n${body ?? ''}`.slice(0, charactersAtMost).toWellFormed()
}
