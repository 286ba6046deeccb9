import { insertedInto, type Effect } from '#src/core/effects.ts'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { heardOf, type Subject } from './listeners.ts'
import type { EventCause, PlatformEvent } from './event.ts'

/** What happened, and to whom. */
export interface Happening extends Subject {
  type: string
  data: Record<string, unknown>
  /** The run that brought it about. */
  cause?: (EventCause & { sender?: string | undefined }) | null | undefined
  /** Who has left it with the account, where that is somebody else; by default as of the run. */
  sender?: string | undefined
}

/**
 * The write that keeps an event until it is passed on, for the commit of its cause; nothing where
 * nobody listens, which is looked up here because most events go unheard.
 */
export async function emitted(store: Store, happening: Happening, now: Date): Promise<Write[]> {
  const heard = await heardOf(store, happening, [happening.type])
  return heard.has(happening.type) ? [eventWrite(happening, now)] : []
}

/** The write that keeps an event of which somebody is to hear. */
export function eventWrite(happening: Happening, now: Date): Write {
  const at = timestamp(now)
  const { type, ownerId, charId, appId, data, cause } = happening
  const sender = happening.sender ?? cause?.sender
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
    attempts: 0,
    told: null,
    ...(sender !== undefined && { sender }),
  }
  return { in: 'events', insert: event }
}

/** Events that a commit has kept are passed on at once. */
export const wakeEvents: Effect = ({ wake }, writes) => {
  if (insertedInto('events', writes).length > 0) wake.events()
}
