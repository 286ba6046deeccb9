import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { StoredRun } from '#src/runs/run.ts'
import type { PlatformEvent } from './event.ts'

/** What happened, and to whom. */
export interface Happening {
  type: string
  ownerId: string
  charId: string | null
  appId: string | null
  data: Record<string, unknown>
  /** The run that brought it about. */
  cause?: Pick<StoredRun, 'id' | 'root_run_id' | 'depth'> | undefined
}

/**
 * The write that keeps an event until it is passed on, for the commit of its cause; nothing where
 * nobody listens, which is looked up here because most events go unheard.
 */
export async function emitted(store: Store, happening: Happening, now: Date): Promise<Write[]> {
  if (!(await isHeard(store, happening))) return []
  const at = timestamp(now)
  const { type, ownerId, charId, appId, data, cause } = happening
  const event: PlatformEvent = {
    id: newId('evt'),
    type,
    at,
    owner_id: ownerId,
    char_id: charId,
    app_id: appId,
    data,
    cause: cause ? { id: cause.id, root_run_id: cause.root_run_id, depth: cause.depth } : null,
    due_at: at,
  }
  return [{ in: 'events', insert: event }]
}

async function isHeard(
  store: Store,
  { type, ownerId, charId, appId }: Happening,
): Promise<boolean> {
  const one = { limit: 1 }
  if (charId !== null) {
    const hooked = await store.characters.text({ id: charId, hooked: true }, one)
    if (hooked.length > 0) return true
  }
  if ((await store.tasks.text({ reacts: ownerId }, one)).length > 0) return true
  if (appId === null) return false
  const app = await store.apps.get(appId)
  return app?.webhook?.state === 'active' && app.webhook.events.includes(type)
}
