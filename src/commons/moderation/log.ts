import * as z from 'zod'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store } from '#src/ports/store.ts'

/** The actions of moderation. */
export const actions = [
  'hold',
  'restore',
  'dismiss',
  'remove',
  'lock',
  'unlock',
  'pin',
  'unpin',
  'close',
  'ban',
  'unban',
] as const
/** One of them; to dismiss is to let stand what was flagged, but is not held. */
export type Action = (typeof actions)[number]

/** An entry of the public log: what was done to what, by whom, and why. Never the text itself. */
export const ModerationEntry = z
  .object({
    id: z.string(),
    action: z.enum([...actions, 'appeal']),
    target_type: z.enum(['thread', 'reply', 'identity']),
    target_id: z.string(),
    by: z.enum(['operator', 'moderator', 'flags', 'rules', 'author']),
    reason: z.string(),
    created_at: z.string(),
  })
  .meta({ id: 'CommonsModerationEntry' })
export type ModerationEntry = z.infer<typeof ModerationEntry>

/** An entry as it is kept. */
export interface StoredEntry extends ModerationEntry {
  /** The handle of the moderator, for the operator; absent where none acted. */
  moderator?: string
}

/** The entry of an action taken now. */
export function entryOf(done: Omit<StoredEntry, 'id' | 'created_at'>, now: Date): StoredEntry {
  const { action, target_type, target_id, by, reason, ...more } = done
  const entry = { action, target_type, target_id, by, reason, created_at: timestamp(now) }
  return { id: newId('mod'), ...entry, ...more }
}

/** The entry as everyone sees it. */
export function shownEntry({ moderator: _moderator, ...entry }: StoredEntry): ModerationEntry {
  return entry
}

/** The handle of the moderator who holds a thread or reply; undefined where flags or the operator do. */
export async function moderatorOfHold(
  { commons_moderation }: Pick<Store, 'commons_moderation'>,
  target_id: string,
): Promise<string | undefined> {
  const newest = { sort: { id: -1 }, limit: 1 } as const
  const [entry] = await commons_moderation.find({ target_id, action: 'hold' }, newest)
  return entry?.moderator
}

/** The newest entry of such an action on a target. */
export async function newestEntry(
  { commons_moderation }: Pick<Store, 'commons_moderation'>,
  target_id: string,
  action: ModerationEntry['action'],
): Promise<ModerationEntry | undefined> {
  const newest = { sort: { id: -1 }, limit: 1 } as const
  const [entry] = await commons_moderation.find({ target_id, action }, newest)
  return entry && shownEntry(entry)
}
