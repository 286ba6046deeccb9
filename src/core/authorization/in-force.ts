import type { Documents } from '#src/ports/documents.ts'
import { timestamp } from '../time.ts'

/** Whether a program is connected: what its person has lost, it has lost with them, and what they have not renewed. */
export function isInForce(
  connection: Documents['connections'] | undefined,
  account: Documents['accounts'] | undefined,
  now: Date,
): connection is Documents['connections'] {
  if (!connection || connection.expires_at <= timestamp(now)) return false
  return account?.holder_id === connection.person_id && account.closed_at === undefined
}
