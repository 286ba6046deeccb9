import type { Collection, Picked } from '#src/ports/store.ts'
import type { Engine } from './engine.ts'
import type { Table } from './table.ts'

/** The port's collection over a table. Every method prepares at the call and runs later. */
export function collectionOf<T extends { id: string }>(
  engine: Engine,
  table: Table<T>,
): Collection<T> {
  return {
    get: (id) => engine.read(table.readName, () => () => table.document(id)),
    find: (filter, options) => engine.read(table.readName, () => table.documents(filter, options)),
    count: (filter, atMost) =>
      engine.read(table.readName, () => {
        const rows =
          atMost === undefined ? table.rows('count(*)', filter) : table.countUpTo(filter, atMost)
        // A count has one row of one number.
        return () => (rows() as [number][])[0]?.[0] ?? 0
      }),
    text: (filter, options) => engine.read(table.readName, () => table.texts(filter, options)),
    pick: (paths, filter, options) =>
      engine.read(table.readName, () => {
        const rows = table.picked(paths, filter, options)
        // Out of JSON, SQLite returns only texts and numbers: a boolean as a number.
        return () => rows() as Picked[]
      }),
    async insert(document, options) {
      await engine.write(table.insert(document), { ...options, many: table.isSearched })
    },
    update: async (filter, change, options = {}) =>
      engine.write(table.update(filter, change, options), options),
    delete: async (filter) => engine.write(table.delete(filter)),
  }
}
