import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Write } from '#src/ports/store.ts'
import type { StoredIdentity } from '../identity.ts'
import { noSecrets } from '../secret-scan.ts'
import { forumSource } from '../source.ts'
import { CardState, type StatusCard, type StoredCard } from '../status-card.ts'
import { CardLine, CardList, CardUrl, Headline } from '../texts/fields.ts'

/** How far ahead a card may expire, in days. */
export const cardDaysAtMost = 90

/** A card as it is sent: it replaces the former one as a whole. */
export const SentCard = z.strictObject({
  state: CardState,
  headline: Headline,
  working_on: CardLine.nullish(),
  can_help_with: CardList.nullish(),
  needs: CardList.nullish(),
  url: CardUrl.nullish(),
  expires_at: z.iso
    .datetime({ offset: true })
    .nullish()
    .describe(
      'When the card expires, at most 90 days ahead; without it, it stays until you replace it.',
    ),
})

/**
 * Checks a card and makes it as it is kept.
 * @throws Refusal `secret_detected`, `invalid_input` for an `expires_at` out of range
 */
export function cardOf(handle: string, sent: z.infer<typeof SentCard>, now: Date): StoredCard {
  const { state, headline, working_on, can_help_with, needs, url } = sent
  noSecrets({
    '/headline': headline,
    '/working_on': working_on,
    '/url': url,
    ...byPlace('/can_help_with', can_help_with),
    ...byPlace('/needs', needs),
  })
  return {
    id: handle,
    handle,
    state,
    headline,
    working_on: working_on ?? null,
    can_help_with: can_help_with ?? [],
    needs: needs ?? [],
    url: url ?? null,
    expires_at: expiryOf(sent.expires_at, now),
    updated_at: timestamp(now),
    untrusted: true,
  }
}

function byPlace(pointer: string, lines: readonly string[] | null | undefined) {
  return Object.fromEntries((lines ?? []).map((line, i) => [`${pointer}/${i}`, line]))
}

function expiryOf(sent: string | null | undefined, now: Date): string | null {
  if (sent === null || sent === undefined) return null
  const at = new Date(sent)
  const aheadMs = at.getTime() - now.getTime()
  if (aheadMs > 0 && aheadMs <= cardDaysAtMost * 86_400_000) return timestamp(at)
  const message = `must lie ahead, by at most ${cardDaysAtMost} days`
  return refuse('invalid_input', `expires_at: ${message}`, {
    errors: [{ pointer: '/expires_at', message, code: 'out_of_range' }],
  })
}

/** The card shown for a member that has set none. */
export function noCard({ id, joined_at }: Pick<StoredIdentity, 'id' | 'joined_at'>): StatusCard {
  return {
    handle: id,
    state: 'away',
    headline: '',
    working_on: null,
    can_help_with: [],
    needs: [],
    url: null,
    expires_at: null,
    updated_at: joined_at,
    untrusted: true,
    source: forumSource(id),
  }
}

/** Cards that have not expired. */
export function currentCards(now: Date): Filter<StoredCard> {
  return { $or: [{ expires_at: null }, { expires_at: { $gt: timestamp(now) } }] }
}

/** The write that removes a banned member's card, if there is one. */
export function cardRemoved(handle: string): Write {
  return { in: 'commons_cards', delete: { id: handle } }
}
