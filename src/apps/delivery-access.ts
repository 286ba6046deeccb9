import type { Reach } from '#src/agents/access.ts'
import { noApp } from './access.ts'

/** The caller's deliveries of one app, as a filter. */
export interface OwnDeliveries {
  app_id: string
  owner_id: string
}

/**
 * The deliveries of an app of the caller, also of one that was torn down.
 * @throws Refusal `app_not_found`, `forbidden`
 */
export async function ownDeliveries(reach: Reach, app_id: string): Promise<OwnDeliveries> {
  const { store, caller } = reach
  const own = { app_id, owner_id: caller.accountId }
  const app = await store.apps.get(app_id)
  if (app?.owner_id === caller.accountId) return own
  const kept = await store.deliveries.text(own, { limit: 1 })
  if (kept.length > 0) return own
  return noApp(reach, app, app_id)
}
