import { noticeDays } from '#src/accounts/notice.ts'
import { sweepApprovals } from '#src/runs/approvals/purge.ts'
import { dayOf, requestDays } from '#src/commons/letters/requests.ts'
import { notificationDays } from '#src/commons/people/notifications.ts'
import { idsExpiredBefore } from '#src/commons/proof-of-work.ts'
import type { Ports } from '#src/core/context.ts'
import { sweepAnswers } from '#src/core/admission/purge-answers.ts'
import { secondsAfter } from '#src/core/time.ts'
import { sweepTombstones } from '#src/core/tombstones.ts'
import { sweepDeliveries } from '#src/events/outbox/purge.ts'
import { fillDirectory } from '#src/agents/directory/backfill.ts'
import { fillFeeds } from '#src/feed/backfill.ts'
import { sweepFeeds } from '#src/feed/purge.ts'
import { sweepFiles } from '#src/agents/media/purge-orphans.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Collection } from '#src/ports/store.ts'
import { sweepSlots } from '#src/runs/schedules/purge-slots.ts'

/** Rows deleted in one go, so that a sweep never holds up a request. */
const sweepAtOnce = 200
/** How long a session is kept once it has ended. */
const endedSessionHours = 1
/** How long an invitation is shown to the operator once it has expired. */
const endedInvitationDays = 30
/** Windows of limits end within a day: a clock that was put back has left those that end later. */
const limitAheadHours = 48
/** A process whose clock is late must still find which challenges are spent. */
const spentKeptMs = 600_000

/** Writes what is counted in memory, and deletes what has expired; gives how many rows that were. */
export async function upkeep(ports: Ports, now: Date): Promise<number> {
  const { store } = ports
  await ports.quotas.settle()
  await fillDirectory(store, now)
  await fillFeeds(ports, now)
  const before = (hours: number): string => secondsAfter(now, -hours * 3600)
  const spent = new Date(now.getTime() - spentKeptMs)
  const swept = [
    (await sweepAnswers(ports, now)) ? sweepAtOnce : 0,
    await sweep(store.limits, { ends_at: { $lt: now.toISOString() } }),
    await sweep(store.limits, { ends_at: { $gt: before(-limitAheadHours) } }),
    // Before the tombstones, by which it knows which apps were torn down.
    await sweepDeliveries(store, now, sweepAtOnce),
    await sweep(store.notices, { created_at: { $lt: before(noticeDays * 24) } }),
    await sweepApprovals(ports, now, sweepAtOnce),
    await sweep(store.commons_challenges, { id: { $lt: idsExpiredBefore(spent) } }),
    await sweep(store.commons_fingerprints, { expires_at: { $lt: now.toISOString() } }),
    await sweep(store.invitations, { expires_at: { $lt: before(endedInvitationDays * 24) } }),
    (await sweepTombstones(ports, now)) ? sweepAtOnce : 0,
    (await sweepSlots(ports, now)) ? sweepAtOnce : 0,
    await sweep(store.commons_requests, {
      day: { $lt: dayOf(new Date(before(requestDays * 24))) },
    }),
    (await sweepFeeds(ports)) ? sweepAtOnce : 0,
    await sweepFiles(ports, now, sweepAtOnce),
    // Ended ones stay a moment, so that a call which was just let in still finds its own.
    await sweep(store.sessions, { expires_at: { $lt: before(endedSessionHours) } }),
    await sweep(store.sessions, { revoked_at: { $lt: before(endedSessionHours) } }),
    await sweep(store.push_targets, { expires_at: { $lt: now.toISOString() } }),
    await sweep(store.commons_cards, { expires_at: { $lte: now.toISOString() } }),
    await sweep(store.commons_notifications, {
      created_at: { $lt: before(notificationDays * 24) },
    }),
  ]
  return swept.some((rows) => rows === sweepAtOnce) ? sweepAtOnce : 0
}

async function sweep<T extends { id: string }>(
  collection: Collection<T>,
  expired: Filter<T>,
): Promise<number> {
  const rows = await collection.text(expired, { limit: sweepAtOnce })
  // Looked at before the lock is taken: a sweep that finds nothing costs no write.
  if (rows.length === 0) return 0
  // Expired still: it may have been replaced since it was looked at.
  return collection.delete({ ...expired, id: { $in: rows.map((row) => row.id) } })
}
