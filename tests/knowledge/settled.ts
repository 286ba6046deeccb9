import { setTimeout } from 'node:timers/promises'
import type { Ports } from '#src/core/context.ts'
import type { StoredItem } from '#src/knowledge/item.ts'
import { librarian } from '#src/work/knowledge.ts'

const patienceMs = 180_000

/** Reads what waits, until none of these items does; gives them as they are then. */
export async function settled(ports: Ports, ids: readonly string[]): Promise<StoredItem[]> {
  const reader = librarian(ports, () => undefined)
  const begun = performance.now()
  try {
    for (;;) {
      await reader.tick()
      const items = await ports.store.knowledge_items.find({ id: { $in: [...ids] } })
      if (!items.some(({ status }) => status === 'queued' || status === 'fetching')) return items
      if (performance.now() - begun > patienceMs) throw new Error('it was never read to its end')
      await setTimeout(10)
    }
  } finally {
    await reader.stop()
  }
}
