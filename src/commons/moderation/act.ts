import { retryRace } from '../votes/races.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { told } from '../notification.ts'
import { decided } from './decide.ts'
import { entryOf, type Action, type StoredEntry } from './log.ts'
import { keptMatter, matterIn, matterOf, settledMatter, type WholeMatter } from './matter.ts'
import { authorOf, subjectOf, type Content, type Subject } from './subject.ts'

/** An action that a moderator asks for. */
export interface Order {
  action: Action
  /** The id of a thread or reply, or a handle with or without its @. */
  target: string
  /** For the public log, in plain text. */
  reason: string
  by: StoredEntry['by']
  /** The handle of the moderator, where a member acts. */
  moderator?: string
}

/** The outcome. Without an entry nothing was done, because it was so already. */
export interface Done {
  subject: Subject
  entry: StoredEntry | undefined
}

// Where a thread ranks in lists does not concern its author, and flags they are never told of.
const untold: ReadonlySet<Action> = new Set(['pin', 'unpin', 'dismiss'])

/**
 * Carries out the order with its entry in the log and the notice to the author, or does nothing at
 * all.
 */
export function act(store: Store, { target, ...order }: Order, now: Date): Promise<Done> {
  return retryRace(['commons_tallies'], async () => {
    const subject = await subjectOf(store, target)
    const acted = acting(subject, order, now)
    if (acted) await store.commit(acted.writes)
    return { subject, entry: acted?.entry }
  })
}

/**
 * The same as writes for another commit, on what it has read; undefined where it is so already.
 * @param flagged its matter with the flag that comes with the order, if one does
 * @throws Refusal `invalid_input` for what makes no sense there
 */
export function acting(
  subject: Subject,
  order: Omit<Order, 'target'>,
  now: Date,
  flagged?: WholeMatter,
): { writes: Write[]; entry: StoredEntry } | undefined {
  const writes = decided(subject, order, now)
  if (!writes) return undefined
  const { type, id } = subject
  const entry = entryOf({ ...order, target_type: type, target_id: id }, now)
  writes.push({ in: 'commons_moderation', insert: entry })
  if (subject.type === 'identity') return { writes, entry }
  writes.push(...matterWrites(subject, order.action, now, flagged))
  if (!untold.has(order.action)) writes.push(toldAuthor(subject, now))
  return { writes, entry }
}

/** What is held waits for moderators; what was judged harmless does so only by flags from now on. */
function matterWrites(
  content: Content,
  action: Action,
  now: Date,
  flagged: WholeMatter | undefined,
): Write[] {
  const { id, matter } = content
  if (action === 'restore') return [settledMatter(id)]
  if (action !== 'hold') return []
  const whole = flagged ?? matterOf(matter, { id, author: authorOf(content) }, now)
  return [keptMatter(matter, matterIn('held', whole, now))]
}

function toldAuthor(content: Content, now: Date): Write {
  const { type, id } = content
  const where =
    type === 'reply' ? { thread_id: content.reply.thread_id, reply_id: id } : { thread_id: id }
  return told(authorOf(content), { kind: 'moderation', ...where }, now)
}
