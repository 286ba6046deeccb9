import { purgeAudit } from './accounts/audit/purge.ts'
import { purgeArtifacts, purgeClients, purgeConnections } from './accounts/hosts/purge.ts'
import { purgeMailLinks, purgeMails } from './accounts/mail/purge.ts'
import { purgeChallenges as purgePasskeyChallenges } from './accounts/passkeys/challenge.ts'
import {
  purgeDecidedClaims,
  purgeEndedSessions,
  purgeInvitations,
  purgeMemberInvitations,
  purgeNotices,
  purgeRevokedKeys,
  purgeSessions,
} from './accounts/purge.ts'
import { purgeOutbound } from './agents/connections/purge.ts'
import { purgeFiles } from './agents/media/purge-orphans.ts'
import {
  purgeCards,
  purgeChallenges,
  purgeFingerprints,
  purgeNotifications,
  purgeRequests,
  purgeRevokedTokens,
} from './commons/purge.ts'
import { purgeA2aTasks, purgeAnswers } from './core/admission/purge-answers.ts'
import { purgeLimits, purgeLimitsAhead } from './core/admission/purge-limits.ts'
import { collections } from './collections.ts'
import type { Purge } from './core/counts/purge.ts'
import { largeMembersOf } from './core/large/store.ts'
import { purgeOfLargeValues } from './core/large/unused.ts'
import { purgeTombstones } from './core/tombstones.ts'
import { purgeAccountEvents } from './events/log/purge.ts'
import { purgeDeliveries } from './events/outbox/purge.ts'
import { purgeFeeds } from './feed/purge.ts'
import { purgeApprovals } from './runs/approvals/purge.ts'
import { purgePushBodies } from './runs/chat/push/body.ts'
import { purgePushTargets } from './runs/chat/push/purge.ts'
import { purgeSums } from './runs/spend/sum.ts'
import { purgeSlots } from './runs/schedules/purge-slots.ts'
import { purgeTexts } from './runs/text/text.ts'
import { purgeHookCalls } from './runs/triggers/hook-calls.ts'

const large = purgeOfLargeValues(largeMembersOf(collections))
/** Deletes large values that nothing refers to any more. */
export const purgeLargeValues: Purge = (ports, now) => large(ports, now)

/** Everything that expires, in the order in which it is purged. */
export const purges: readonly Purge[] = [
  purgeAnswers,
  purgeA2aTasks,
  purgeLimits,
  purgeLimitsAhead,
  // Before the tombstones, which tell it which apps were torn down.
  purgeDeliveries,
  purgeNotices,
  purgeAudit,
  purgeAccountEvents,
  purgeApprovals,
  purgeChallenges,
  purgeFingerprints,
  purgeInvitations,
  purgeMemberInvitations,
  purgeTombstones,
  purgeSlots,
  purgeSums,
  purgeHookCalls,
  purgeTexts,
  purgeRequests,
  purgeFeeds,
  purgeFiles,
  purgeSessions,
  purgeEndedSessions,
  purgeRevokedKeys,
  purgeDecidedClaims,
  purgeRevokedTokens,
  purgeMails,
  purgeMailLinks,
  purgePasskeyChallenges,
  purgeArtifacts,
  purgeClients,
  purgeConnections,
  purgeOutbound,
  purgePushTargets,
  purgePushBodies,
  purgeCards,
  purgeNotifications,
  purgeLargeValues,
]
