import { countPuts } from './agents/memory/put.ts'
import { countMessages } from './agents/messages/bytes.ts'
import { countAnswers } from './core/admission/idempotency.ts'
import type { Effect } from './core/effects.ts'
import { wakeEvents } from './events/emit.ts'
import { wakeDeliveries } from './events/outbox/outbox.ts'
import { countPosts } from './feed/post.ts'
import { wakeReaders } from './knowledge/wake-readers.ts'
import { countOrders } from './money/orders/bytes.ts'
import { wakePayments } from './money/wake-payments.ts'
import { tellRunEvents } from './runs/events.ts'
import { announceRuns } from './runs/queue.ts'
import { countApprovals, countRuns, countSlots } from './runs/retention/bytes.ts'

/** Everything that follows of a commit by itself. What is counted comes first, so that it is seen by what is woken. */
export const effects: readonly Effect[] = [
  countAnswers,
  countRuns,
  countApprovals,
  countSlots,
  countMessages,
  countPuts,
  countPosts,
  countOrders,
  tellRunEvents,
  announceRuns,
  wakeEvents,
  wakeDeliveries,
  wakeReaders,
  wakePayments,
]
