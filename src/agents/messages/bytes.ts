import { senderKey } from '#src/core/counts/received.ts'
import { sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import type { StoredMessage } from './message.ts'

type Counts = Pick<Quotas, 'addBytes' | 'received'>

/** What a message counts for each account that keeps it. */
export function messageBytes(message: StoredMessage): number {
  const { from_owner: _from, to_owner: _to, deleted_by: _by, ...shown } = message
  return sizeOf(shown)
}

/** Counts bytes of a message for one of its accounts: those received from another one in that one's share. */
export function countMessage(
  quotas: Counts,
  { from_owner, to_owner }: Pick<StoredMessage, 'from_owner' | 'to_owner'>,
  accountId: string,
  bytes: number,
): void {
  if (accountId === from_owner) quotas.addBytes(accountId, bytes)
  else if (accountId === to_owner) quotas.received.add(accountId, senderKey(from_owner), bytes)
}

/** Counts the messages of a commit: for both accounts, or once if they are the same. */
export const countMessages: Effect = ({ quotas }, writes) => {
  for (const message of insertedInto('messages', writes)) {
    const { from_owner, to_owner } = message
    const bytes = messageBytes(message)
    for (const owner of new Set([from_owner, to_owner])) {
      countMessage(quotas, message, owner, bytes)
    }
  }
}
