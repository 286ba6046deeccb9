import { wakeMails } from './accounts/mail/mail.ts'
import { countMessages } from './agents/messages/bytes.ts'
import { countAnswers } from './core/admission/idempotency.ts'
import { countGrowth } from './core/counts/growth.ts'
import { countLargeValues } from './core/large/unused.ts'
import type { Effect } from './core/effects.ts'
import { tellLogs, wakeEvents } from './events/emit.ts'
import { countDeliveries } from './events/outbox/bytes.ts'
import { wakeDeliveries } from './events/outbox/outbox.ts'
import { countPosts } from './feed/post.ts'
import { tellItems, wakeReaders } from './knowledge/wake-readers.ts'
import { countOrders } from './money/orders/bytes.ts'
import { wakePayments } from './money/wake-payments.ts'
import { countPushBodies } from './runs/chat/push/body.ts'
import { tellRunEvents } from './runs/events.ts'
import { announceRuns } from './runs/queue.ts'
import { countApprovals, countRuns, countSlots } from './runs/retention/bytes.ts'

/** Everything that follows from a commit. Counting comes first, so that woken work sees the counts. */
export const effects: readonly Effect[] = [
  countAnswers,
  countLargeValues,
  countRuns,
  countApprovals,
  countSlots,
  countMessages,
  countGrowth,
  countPosts,
  countOrders,
  countDeliveries,
  countPushBodies,
  tellRunEvents,
  announceRuns,
  tellLogs,
  wakeEvents,
  wakeDeliveries,
  wakeMails,
  wakeReaders,
  tellItems,
  wakePayments,
]
