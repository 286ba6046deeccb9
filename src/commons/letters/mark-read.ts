import type { Ports } from '#src/core/context.ts'
import type { StoredConversation } from './letter.ts'

/**
 * Notes that the owner has read their side of a conversation, as it was before the letters were looked
 * up: if a newer one has arrived since, all of it stays unread and is shown again.
 */
export async function markConversation(
  { store, log }: Pick<Ports, 'store' | 'log'>,
  side: StoredConversation | undefined,
): Promise<void> {
  if (!side?.last_message || side.unread === 0) return
  const seen = { id: side.id, 'last_message.id': side.last_message.id }
  try {
    await store.commons_conversations.update(seen, { $set: { unread: 0 } }, { lazy: true })
  } catch (cause) {
    log.warn('a conversation could not be marked as read', { cause })
  }
}
