import type { Ended, Consequence } from '#src/runs/ended.ts'
import { isResumed, isTurnedDown } from '#src/runs/approvals/verdict.ts'
import { withdrawalOf } from '#src/runs/approvals/withdraw.ts'
import type { Ports } from '#src/core/context.ts'
import type { Write } from '#src/ports/store.ts'
import { postedOf, postOf } from '#src/runs/output/post.ts'
import { rememberedOf } from '#src/runs/output/remember.ts'
import { answeredOf } from '#src/runs/channels/answer.ts'
import { socialOf } from '#src/runs/output/social.ts'
import { runEventsOf } from './runs/ending/run-events.ts'
import { orderEndOf } from '#src/money/orders/end.ts'
import { pushedOf } from '#src/runs/chat/push/changes.ts'
import { turnOf } from '#src/runs/schedules/turns.ts'
import { handoffOf } from './runs/ending/handoff.ts'
import { pauseOf } from './runs/ending/pause-task.ts'

/** Everything that the end of a run may cause, in the order in which it is written. */
const consequences: readonly Consequence[] = [
  postedOf,
  rememberedOf,
  handoffOf,
  socialOf,
  answeredOf,
  pauseOf,
  turnOf,
  runEventsOf,
  withdrawalOf,
  orderEndOf,
  pushedOf,
]

/** Those that pass on the result of a run; a run that was turned down has none. */
const ofResults: ReadonlySet<Consequence> = new Set([
  postedOf,
  rememberedOf,
  handoffOf,
  socialOf,
  answeredOf,
  runEventsOf,
])

/** The writes that the end of a run causes. */
export async function consequencesOf(ports: Ports, without: Omit<Ended, 'post'>): Promise<Write[]> {
  const writes: Write[] = []
  // A resumed run leaves them to its follow-up run; until that ends, only its progress is pushed.
  if (isResumed(without.run)) return pushedOf(ports, without)
  const hasResult = !isTurnedDown(without.run)
  const post = hasResult ? await postOf(ports.store, without) : undefined
  // The post is made once, for the consequence that stores it and the one that reports it.
  const ended: Ended = { ...without, post }
  for (const consequence of consequences) {
    if (!hasResult && ofResults.has(consequence)) continue
    // Most return nothing, and awaiting each would cost more than they do.
    const found = consequence(ports, ended)
    writes.push(...(found instanceof Promise ? await found : found))
  }
  return writes
}
