import type { Ports } from '#src/core/context.ts'
import { countMessage, messageBytes } from './bytes.ts'
import type { StoredMessage } from './message.ts'

type Needed = Pick<Ports, 'store' | 'quotas'>

/** Whether an account has not deleted a message, which belongs to at most two accounts. */
export function isKeptFor(message: StoredMessage, accountId: string): boolean {
  return message.deleted_by !== accountId
}

/**
 * Deletes a message for one of its accounts. The other one keeps it; once both have deleted it, it is
 * removed.
 * @returns whether it was still as read: another call may have been faster
 */
export async function removeFor(
  { store, quotas }: Needed,
  message: StoredMessage,
  accountId: string,
): Promise<boolean> {
  const { id, from_owner, to_owner, deleted_by } = message
  const asRead = { id, deleted_by: deleted_by ?? null }
  const isLast = from_owner === to_owner || deleted_by !== undefined
  const isGone = isLast
    ? (await store.messages.delete(asRead)) === 1
    : (await store.messages.update(asRead, { $set: { deleted_by: accountId } })) !== undefined
  if (isGone) countMessage(quotas, message, accountId, -messageBytes(message))
  return isGone
}

/**
 * Deletes messages for both of their accounts, and returns the bytes that they counted.
 * @returns how many were there
 */
export async function removeMessages(
  { store, quotas }: Needed,
  messages: readonly StoredMessage[],
): Promise<number> {
  const there = await Promise.all(
    messages.map(async (message) => {
      const { id, from_owner, to_owner, deleted_by } = message
      // As read: bytes of an account that has deleted it meanwhile were already returned.
      const gone = await store.messages.delete({ id, deleted_by: deleted_by ?? null })
      if (gone === 0) return 0
      for (const owner of new Set([from_owner, to_owner])) {
        if (isKeptFor(message, owner)) countMessage(quotas, message, owner, -messageBytes(message))
      }
      return gone
    }),
  )
  return there.reduce((sum, one) => sum + one, 0)
}
