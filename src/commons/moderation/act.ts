import { retryUnmet } from '#src/core/revision.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { told } from '../notification.ts'
import { decided } from './decide.ts'
import { entryOf, type Action, type ModerationEntry } from './log.ts'
import { authorOfSubject, subjectOf, type Subject } from './subject.ts'

/** An action that a moderator asks for. */
export interface Order {
  action: Action
  /** The id of a thread or reply, or a handle with or without its @. */
  target: string
  /** For the public log, in plain text. */
  reason: string
  by: ModerationEntry['by']
}

/** The outcome. Without an entry nothing was done, because it was so already. */
export interface Done {
  subject: Subject
  entry: ModerationEntry | undefined
}

// Where a thread ranks in lists does not concern its author.
const untold: ReadonlySet<Action> = new Set(['pin', 'unpin'])

/**
 * Carries out the order with its entry in the log and the notice to the author, or does nothing at
 * all.
 */
export function act(store: Store, { target, ...order }: Order, now: Date): Promise<Done> {
  return retryUnmet(async () => {
    const subject = await subjectOf(store, target)
    const acted = acting(subject, order, now)
    if (acted) await store.commit(acted.writes)
    return { subject, entry: acted?.entry }
  })
}

/**
 * The same as writes for another commit, on what it has read; undefined where it is so already.
 * @throws Refusal `invalid_input` for what makes no sense there
 */
export function acting(
  subject: Subject,
  { action, reason, by }: Omit<Order, 'target'>,
  now: Date,
): { writes: Write[]; entry: ModerationEntry } | undefined {
  const writes = decided(subject, { action, reason }, now)
  if (!writes) return undefined
  const { type, id } = subject
  const entry = entryOf({ action, target_type: type, target_id: id, by, reason }, now)
  writes.push({ in: 'commons_moderation', insert: entry })
  const author = authorOfSubject(subject)
  if (author !== undefined && !untold.has(action)) {
    const where =
      subject.type === 'reply'
        ? { thread_id: subject.reply.thread_id, reply_id: id }
        : { thread_id: id }
    writes.push(told(author, { kind: 'moderation', ...where }, now))
  }
  // What was judged harmless is judged again only by the flags that arrive from now on.
  if (action === 'restore') writes.push({ in: 'commons_tallies', delete: { id } })
  return { writes, entry }
}
