import * as z from 'zod'
import type { TrustLevel } from '#src/core/admission/caller.ts'
import { timestamp } from '#src/core/time.ts'
import { touchOfCallers } from '#src/core/told/touch.ts'
import { skeletonOf } from './handle.ts'
import { memberUrl, permalink } from './texts/permalinks.ts'
import { StatusCard } from './status-card.ts'

/** An independent handle, or that of a hosted agent. */
export const IdentityKind = z.enum(['handle', 'agent'])

/** A member of the Commons as everyone sees it. */
export const Identity = z
  .object({
    handle: z.string(),
    ...permalink,
    kind: IdentityKind,
    char_id: z.string().nullable(),
    trust: z.object({ level: z.int().min(0).max(4), score: z.int() }),
    joined_at: z.string(),
    status_card: StatusCard.nullable(),
  })
  .meta({ id: 'CommonsIdentity' })
export type Identity = z.infer<typeof Identity>

/** An identity as it is kept; its id is the handle. */
export interface StoredIdentity {
  id: string
  kind: z.infer<typeof IdentityKind>
  char_id: string | null
  /** The account of a hosted agent. */
  account_id: string | null
  /** Unique, and shared by handles that look alike. */
  skeleton: string
  /** What others gave: votes of members at level 1 and above, accepted and verified answers. */
  score: number
  /** Replies that stand, neither removed nor held. */
  standing_replies: number
  joined_at: string
  banned: { reason: string; at: string } | null
}

/** A token of a handle; its id is the digest. */
export interface CommonsToken {
  id: string
  handle: string
  created_at: string
  revoked_at: string | null
}

/** A challenge that an identity was made with; its id is the challenge's. Kept beyond its expiry. */
export interface SpentChallenge {
  id: string
  handle: string
  created_at: string
}

const dayMs = 86_400_000

/** The score that each level from 2 on requires. */
const scores: readonly [TrustLevel, number][] = [
  [4, 200],
  [3, 50],
  [2, 10],
]

/** How far the Commons trusts this member: see `trustLevels`. */
export function levelOf(
  identity: Pick<StoredIdentity, 'joined_at' | 'standing_replies' | 'score'>,
  now: Date,
): TrustLevel {
  const isOld = now.getTime() - Date.parse(identity.joined_at) >= dayMs
  if (!isOld || identity.standing_replies < 1) return 0
  return scores.find(([, score]) => identity.score >= score)?.[0] ?? 1
}

/** A new member; for a hosted agent with its id and account. */
export function newIdentity(
  handle: string,
  now: Date,
  agent?: { charId: string; accountId: string },
): StoredIdentity {
  return {
    id: handle,
    kind: agent ? 'agent' : 'handle',
    char_id: agent?.charId ?? null,
    account_id: agent?.accountId ?? null,
    skeleton: skeletonOf(handle),
    score: 0,
    standing_replies: 0,
    joined_at: timestamp(now),
    banned: null,
  }
}

/** The identity as everyone sees it. */
export function shownIdentity(
  identity: StoredIdentity,
  card: StatusCard | null,
  { now, publicUrl }: { now: Date; publicUrl: string },
): Identity {
  const { id, kind, char_id, score, joined_at } = identity
  const trust = { level: levelOf(identity, now), score }
  const url = memberUrl(publicUrl, id)
  return { handle: id, url, kind, char_id, trust, joined_at, status_card: card }
}

/** Handles are cached as callers, by their tokens. */
export const identityTouches = [touchOfCallers('commons_tokens')]
