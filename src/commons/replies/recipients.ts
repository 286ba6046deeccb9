import type { Store } from '#src/ports/store.ts'
import { sideId } from '../letters/sides.ts'

/** The handles to notify of what a member writes: without those that have blocked the writer. */
export async function hearing(
  store: Store,
  handles: readonly string[],
  from: string,
): Promise<ReadonlySet<string>> {
  if (handles.length === 0) return new Set()
  const sides = handles.map((handle) => sideId(handle, from))
  const blocked = { id: { $in: sides }, owner: { $in: handles }, state: 'blocked' } as const
  const deaf = (await store.commons_conversations.find(blocked)).map(({ owner }) => owner)
  return new Set(handles.filter((handle) => !deaf.includes(handle)))
}
