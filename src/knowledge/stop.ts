import type { Ports } from '#src/core/context.ts'
import { ReadFailure } from './failure.ts'
import { settleFailed } from './finish-read.ts'

const atOnce = 100

/**
 * Stops all reading for an account: items that wait to be read or are being read have failed, and their
 * readers lose their claims.
 */
export async function stopReading(ports: Ports, ownerId: string): Promise<void> {
  const failure = new ReadFailure('account_closed', 'The account of the agent is closed.')
  const now = await ports.store.now()
  for (let after = ''; ;) {
    const waiting = { queue: ownerId, id: { $gt: after } }
    const items = await ports.store.knowledge_items.find(waiting, {
      sort: { id: 1 },
      limit: atOnce,
    })
    const last = items.at(-1)
    if (!last) return
    await Promise.all(items.map((item) => settleFailed(ports, item, failure, now)))
    after = last.id
  }
}
