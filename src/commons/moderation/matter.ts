import * as z from 'zod'
import { written } from '../source.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { FlagReason } from './flag.ts'
import { ModerationEntry } from './log.ts'

/** Flagged, but not enough to be held; held; or held, and its author has appealed. */
export const MatterState = z.enum(['flagged', 'held', 'appealed'])
export type MatterState = z.infer<typeof MatterState>

/** A thread or reply that waits for a moderator, with what they need to decide. */
export const Matter = z
  .object({
    target_type: z.enum(['thread', 'reply']),
    target_id: z.string(),
    thread_id: z.string(),
    author: z.string().describe('A handle.'),
    title: z.string().nullable().describe('Of a thread.'),
    body: z.string().nullable(),
    state: MatterState,
    since: z.string().describe('When it came into this state.'),
    flags: z
      .array(z.object({ reason: FlagReason, count: z.int() }))
      .describe('Since a moderator last decided that it may stand.'),
    hold: ModerationEntry.nullable().describe('Why it is held; null while it is not.'),
    appeal: z
      .object({ reason: z.string(), created_at: z.string() })
      .nullable()
      .describe('What its author says; still there after the appeal was rejected.'),
    ...written,
  })
  .meta({ id: 'CommonsMatter' })
export type Matter = z.infer<typeof Matter>

/**
 * What is kept of a thread or reply from its first flag, or since it was held, until it is released or removed; its id
 * is the target's. Those of an older version have the weight of flags alone.
 */
export interface StoredMatter {
  id: string
  /** Of the flags of members whose trust took time, see `isSettled`. */
  weight: number
  /** Of the flags of all other members; absent where an older version counted all as weight. */
  light?: number
  author?: string
  state?: MatterState
  since?: string
  flags?: Partial<Record<FlagReason, number>>
  appeal?: Matter['appeal']
  /** Counts its changes: a flag may add no weight. */
  changes?: number
}

/** A matter with everything that this version keeps. */
export type WholeMatter = Required<StoredMatter>

/** The matter as it is now, or a new one without flags. */
export function matterOf(
  before: StoredMatter | undefined,
  { id, author }: Pick<WholeMatter, 'id' | 'author'>,
  now: Date,
): WholeMatter {
  const none = { weight: 0, light: 0, flags: {}, appeal: null, changes: 0 }
  return { ...none, state: 'flagged', since: timestamp(now), ...before, id, author }
}

/** The matter in another state from now on. */
export function matterIn(state: MatterState, matter: WholeMatter, now: Date): WholeMatter {
  return { ...matter, state, since: timestamp(now) }
}

/** The write that keeps a matter; `Unmet` or `DuplicateKey` where another call was quicker. */
export function keptMatter(before: StoredMatter | undefined, after: WholeMatter): Write {
  if (!before) return { in: 'commons_tallies', insert: after }
  const { id: _id, ...members } = after
  const change = { $set: { ...members, changes: after.changes + 1 } }
  return { in: 'commons_tallies', update: matterAsRead(before), change }
}

/** Matches a matter only while no flag, hold or appeal was added. */
function matterAsRead({ id, weight, light, changes }: StoredMatter) {
  return { id, weight, light: light ?? null, changes: changes ?? null }
}

/** The write that ends the matter of a thread or reply, if there is one. */
export function settledMatter(id: string): Write {
  return { in: 'commons_tallies', delete: { id } }
}

/** The writes that end a matter only while it is as it was read. */
export function settledAsRead(before: StoredMatter): Write[] {
  const unchanged = { in: 'commons_tallies', update: matterAsRead(before), change: {} } as const
  return [unchanged, settledMatter(before.id)]
}
