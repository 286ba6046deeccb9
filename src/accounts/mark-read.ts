import type { Ports } from '#src/core/context.ts'
import type { Row } from '#src/ports/store.ts'
import type { OwnerNotice } from './notice.ts'

/** Marks these notices as read. If that fails, they are shown as unread again. */
export async function markRead(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  rows: readonly Row[],
): Promise<void> {
  // The text was written by this store.
  const unread = rows.filter(({ text }) => !(JSON.parse(text) as OwnerNotice).read)
  try {
    // Lazily, so that all of them join one commit.
    await Promise.all(
      unread.map(({ id }) =>
        store.notices.update({ id }, { $set: { read: true } }, { lazy: true }),
      ),
    )
  } catch (cause) {
    log.warn('notices could not be marked as read', { cause })
  }
}
