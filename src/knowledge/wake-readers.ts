import type { Effect } from '#src/core/effects.ts'

/** What a commit has given agents to read, or to forget, is handled at once. */
export const wakeReaders: Effect = ({ wake }, writes) => {
  const isNew = writes.some(
    (write) =>
      (write.in === 'knowledge_items' && ('insert' in write || 'replace' in write)) ||
      (write.in === 'knowledge_remains' && 'insert' in write),
  )
  if (isNew) wake.knowledge()
}
