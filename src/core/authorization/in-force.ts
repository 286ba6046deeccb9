import type { Documents } from '#src/ports/documents.ts'
import type { Store } from '#src/ports/store.ts'
import { timestamp } from '../time.ts'
import { roleIn } from './account-roles.ts'

/**
 * Whether a program is connected: what its person has lost, it has lost with them, and what they have not renewed.
 * Only owners of an account connect programs to it.
 */
export async function isInForce(
  store: Pick<Store, 'memberships'>,
  connection: Documents['connections'] | undefined,
  account: Documents['accounts'] | undefined,
  now: Date,
): Promise<boolean> {
  if (!connection || connection.expires_at <= timestamp(now)) return false
  return (await roleIn(store, account, connection.person_id)) === 'owner'
}
