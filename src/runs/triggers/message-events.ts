import type { Store, Write } from '#src/ports/store.ts'
import type { StoredMessage } from '#src/agents/messages/message.ts'
import { marksOf } from '#src/core/text/untrusted.ts'
import { senderKey } from '#src/core/counts/received.ts'
import { cut } from '#src/events/shorten.ts'
import { emitted } from '#src/events/emit.ts'
import type { EventCause } from '#src/events/event.ts'

/**
 * The event that a message has reached its receiver, for the commit that keeps the message.
 * @param cause the run whose result it carries, or which sent it
 */
export function messageReceived(
  store: Store,
  message: StoredMessage,
  cause: EventCause | undefined,
  now: Date,
): Promise<Write[]> {
  const { id, from, to, task_id, run_id, runs } = message
  const body = cut(message.body)
  const data = {
    message_id: id,
    from,
    to,
    char_id: to,
    body: body.value,
    ...(body.isCut && { body_cut: true }),
    task_id,
    run_id,
    runs,
  }
  // Webhooks of apps are not told of messages.
  const subject = { ownerId: message.to_owner, charId: to, appId: null }
  const { from_owner, to_owner } = message
  const sender = from_owner === to_owner ? undefined : senderKey(from_owner)
  const { source } = marksOf(message)
  const happening = { type: 'message.received', ...subject, data, cause, sender, source }
  return emitted(store, happening, now)
}
