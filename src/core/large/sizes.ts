import type { Picked, Store } from '#src/ports/store.ts'

/** The hidden members that hold the ids of a document's large values. */
export type Referring<Member extends string> = { [M in `${Member}_ref`]?: string }

/** The ids of large values among what was picked. */
export function idsAmong(picked: Picked): string[] {
  return picked.filter((one) => typeof one === 'string')
}

/**
 * The sizes of large values by their ids, in characters of JSON, for readers that go by how large their documents are
 * as these are shown. The values themselves are not read; without ids nothing is.
 */
export async function largeSizes(
  { large_values }: Pick<Store, 'large_values'>,
  ids: readonly string[],
): Promise<(ids: readonly string[]) => number> {
  const among = { id: { $in: [...new Set(ids)] } }
  const rows = ids.length === 0 ? [] : await large_values.pick(['id', 'bytes'], among)
  const sizes = new Map(rows.map(([id, bytes]) => [id, Number(bytes)]))
  return (of) => of.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
}
