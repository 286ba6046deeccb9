import { senderKey } from '#src/core/counts/received.ts'
import { sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredMessage } from './message.ts'

type Counts = Pick<Quotas, 'addBytes' | 'received'>

/** What a message counts at each account that it is kept for. */
export function messageBytes(message: StoredMessage): number {
  const { from_owner: _from, to_owner: _to, deleted_by: _by, ...shown } = message
  return sizeOf(shown)
}

/** Counts bytes of a message for one of its accounts: what came from another one is in its share. */
export function countMessage(
  quotas: Counts,
  { from_owner, to_owner }: Pick<StoredMessage, 'from_owner' | 'to_owner'>,
  accountId: string,
  bytes: number,
): void {
  if (accountId === from_owner) quotas.addBytes(accountId, bytes)
  else if (accountId === to_owner) quotas.received.add(accountId, senderKey(from_owner), bytes)
}

/** Counts the messages that writes keep, after their commit: for both accounts, or once for one. */
export function countMessages(quotas: Counts, writes: readonly Write[]): void {
  for (const write of writes) {
    if (write.in !== 'messages' || !('insert' in write)) continue
    const { from_owner, to_owner } = write.insert
    const bytes = messageBytes(write.insert)
    for (const owner of new Set([from_owner, to_owner])) {
      countMessage(quotas, write.insert, owner, bytes)
    }
  }
}
