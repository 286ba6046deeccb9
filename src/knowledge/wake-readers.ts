import type { Effect } from '#src/core/effects.ts'
import { documentName } from '#src/core/told/touch.ts'
import type { Write } from '#src/ports/store.ts'

/** What a commit has given agents to read, or to forget, is handled at once. */
export const wakeReaders: Effect = ({ wake }, writes) => {
  const isNew = writes.some(
    (write) =>
      (write.in === 'knowledge_items' && ('insert' in write || 'replace' in write)) ||
      (write.in === 'knowledge_remains' && 'insert' in write),
  )
  if (isNew) wake.knowledge()
}

/** Tells callers that follow items which of them a commit has queued again, read to the end, or deleted. */
export const tellItems: Effect = ({ waiting }, writes) => {
  for (const id of writes.flatMap(itemsIn)) waiting.tell(documentName('knowledge_items', id))
}

function itemsIn(write: Write): readonly string[] {
  if (write.in !== 'knowledge_items' || 'insert' in write) return []
  if ('change' in write && write.change.$set?.status === undefined) return []
  const { id } = 'delete' in write ? write.delete : write.update
  if (typeof id === 'string') return [id]
  const several = typeof id === 'object' && id !== null && '$in' in id ? id.$in : undefined
  return several?.filter((one) => typeof one === 'string') ?? []
}
