import { insertedInto, type Effect } from '#src/core/effects.ts'
import { newId } from '#src/core/ids.ts'
import { documentName } from '#src/core/told/touch.ts'
import { timestamp } from '#src/core/time.ts'
import { marksOf, type Marks, type Source } from '#src/core/text/untrusted.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { heardOf, type Subject } from './listeners.ts'
import type { EventCause, PlatformEvent } from './event.ts'

/** An event, and whom it concerns. */
export interface Happening extends Subject {
  type: string
  data: Record<string, unknown>
  /** The run that caused it. */
  cause?: (EventCause & { sender?: string | undefined } & Marks) | null | undefined
  /** Who left it with the account, if not the account itself; by default the sender of the run. */
  sender?: string | undefined
  /** Where its data comes from, if that is outside of the account; by default as of the run. */
  source?: Source | undefined
}

/**
 * The writes that store an event until it is passed on, for the commit of its cause; none if no one
 * listens, which is looked up here because most events have no listener.
 */
export async function emitted(store: Store, happening: Happening, now: Date): Promise<Write[]> {
  const heard = await heardOf(store, happening, [happening.type])
  return heard.has(happening.type) ? [eventWrite(happening, now)] : []
}

/** The write that stores an event which has a listener. */
export function eventWrite(happening: Happening, now: Date): Write {
  const at = timestamp(now)
  const { type, ownerId, charId, appId, data, cause } = happening
  const sender = happening.sender ?? cause?.sender
  const source = happening.source ?? marksOf(cause ?? {}).source
  const event: PlatformEvent = {
    id: newId('evt'),
    type,
    at,
    owner_id: ownerId,
    char_id: charId,
    app_id: appId,
    data,
    cause: cause ? causeOf(cause) : null,
    due_at: at,
    attempts: 0,
    told: null,
    ...(sender !== undefined && { sender }),
    ...(source && { source }),
  }
  return { in: 'events', insert: event }
}

function causeOf({ id, root_run_id, depth, fired }: EventCause): EventCause {
  return { id, root_run_id, depth, ...(fired && { fired }) }
}

/** Tells callers of this process that follow an account of what its log has got. */
export const tellLogs: Effect = ({ waiting }, writes) => {
  for (const { owner_id } of insertedInto('account_events', writes)) {
    waiting.tell(documentName('account_logs', owner_id))
  }
}

/** Events that a commit has stored are passed on at once. */
export const wakeEvents: Effect = ({ wake }, writes) => {
  if (insertedInto('events', writes).length > 0) wake.events()
}
