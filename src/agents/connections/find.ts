import { isOwnerOf } from '#src/core/authorization/account-roles.ts'
import { isBelow } from '#src/core/text/address.ts'
import type { Store } from '#src/ports/store.ts'
import type { StoredConnection } from './connection.ts'

type Kept = Pick<Store, 'outbound_connections'>

/** An address without its query; undefined for what is none, and for one with a password. */
export function placeOf(address: string): URL | undefined {
  const url = URL.parse(address)
  if (!url || url.username !== '' || url.password !== '') return undefined
  url.search = ''
  url.hash = ''
  return url
}

/** The connection of an agent for this address, or the nearest one above it; undefined if there is none. */
export async function connectionAt(
  { outbound_connections: all }: Kept,
  charId: string,
  address: string,
): Promise<StoredConnection | undefined> {
  const place = placeOf(address)
  if (!place) return undefined
  const there = await all.find({ char_id: charId, origin: place.origin })
  const above = there.filter(({ resource }) => isBelow(place, new URL(resource)))
  return above.sort((a, b) => b.resource.length - a.resource.length)[0]
}

/** The connection, if the person is an owner of its account; undefined for any other, and for none. */
export async function connectionFor(
  store: Kept & Pick<Store, 'accounts' | 'memberships'>,
  personId: string,
  id: string,
): Promise<StoredConnection | undefined> {
  const connection = await store.outbound_connections.get(id)
  const isOwn = connection && (await isOwnerOf(store, connection.owner_id, personId))
  return isOwn ? connection : undefined
}
