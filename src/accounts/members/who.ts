import type { KeyCaller } from '#src/core/admission/caller.ts'
import type { Store } from '#src/ports/store.ts'

/** The addresses of persons, by their ids. */
export async function addressesOf(
  { persons }: Pick<Store, 'persons'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await persons.pick(['id', 'email'], { id: { $in: [...new Set(ids)] } })
  return new Map(rows.map(([id, email]) => [String(id), String(email)]))
}

/** Who calls, for a notice to their own account: a person by their address; empty for a key. */
export async function byWhom(
  store: Pick<Store, 'persons'>,
  { personId }: Pick<KeyCaller, 'personId'>,
): Promise<string> {
  if (personId === undefined) return ''
  const email = (await addressesOf(store, [personId])).get(personId)
  return email === undefined ? '' : ` by ${email}`
}
