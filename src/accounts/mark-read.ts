import type { Ports } from '#src/core/context.ts'
import type { StoredNotice } from './notice.ts'

/** How many readers of one notice are remembered; the first is forgotten for a further one. */
const readersAtMost = 50

/** Marks these notices as read by this reader. If that fails, they are shown as unread again. */
export async function markRead(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  reader: string,
  notices: readonly Pick<StoredNotice, 'id' | 'readers'>[],
): Promise<void> {
  try {
    // Lazily, so that all of them join one commit.
    await Promise.all(
      notices.map(({ id, readers }) => {
        const kept = [...(readers ?? []), reader].slice(-readersAtMost)
        return store.notices.update({ id }, { $set: { readers: kept } }, { lazy: true })
      }),
    )
  } catch (cause) {
    log.warn('notices could not be marked as read', { cause })
  }
}
