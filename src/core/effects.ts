import type { CollectionName, Documents } from '#src/ports/documents.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Ports } from './context.ts'

/** What effects may use: counts, loops and waiting callers of this process. */
export type EffectPorts = Pick<Ports, 'quotas' | 'wake' | 'waiting'>

/**
 * What follows from a commit once it is durable: bytes are counted, work is woken, waiting callers are
 * told. It must not fail, because the commit cannot be undone.
 */
export type Effect = (ports: EffectPorts, writes: readonly Write[]) => void

/**
 * A store whose commits have their effects, for every writer. Writes to a single collection have none.
 * @param ports called at the first commit: they are made together with the store
 * @param also what else belongs into a commit
 */
export function withEffects(
  store: Store,
  effects: readonly Effect[],
  ports: () => EffectPorts,
  also: (writes: readonly Write[]) => readonly Write[] = () => [],
): Store {
  return {
    ...store,
    async commit(writes) {
      const more = also(writes)
      const all = more.length > 0 ? [...writes, ...more] : writes
      await store.commit(all)
      const within = ports()
      for (const effect of effects) effect(within, all)
    },
  }
}

/** The documents that the writes insert into a collection. */
export function insertedInto<N extends CollectionName>(
  collection: N,
  writes: readonly Write[],
): Documents[N][] {
  const inserted: Documents[N][] = []
  for (const write of writes) if (isInsert(write, collection)) inserted.push(write.insert)
  return inserted
}

function isInsert<N extends CollectionName>(
  write: Write,
  collection: N,
): write is Extract<Write, { insert: unknown }> & { insert: Documents[N] } {
  return write.in === collection && 'insert' in write
}
