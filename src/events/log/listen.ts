import type { Context } from '#src/core/context.ts'
import { DuplicateKey, Unmet } from '#src/ports/store.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { entryOf } from './entry.ts'
import { listenedHours, remembered, type AccountLog } from './account-log.ts'

/** Other processes learn within this time that events are to be written. */
const learnMs = 250

/**
 * Has events of the caller's account be written from now on, and gives its log. Where none were written for a
 * while, the log says so by an event `gap`.
 */
export async function listened(context: Context<'key'>): Promise<AccountLog> {
  const { store, caller, clock } = context
  const id = caller.accountId
  for (;;) {
    const now = clock.now()
    const until = secondsAfter(now, listenedHours * 3600)
    const log = await store.account_logs.get(id)
    if (log && log.until > secondsAfter(now, listenedHours * 1800)) {
      remembered(log)
      return log
    }
    const isNew = !log || log.until <= timestamp(now)
    try {
      if (log) await resumed(context, log, until, now)
      else await store.account_logs.insert({ id, seq: 0, until })
    } catch (cause) {
      if (cause instanceof Unmet || cause instanceof DuplicateKey) continue
      throw cause
    }
    remembered({ id, until })
    if (isNew) await clock.sleep(learnMs, context.signal).catch(() => undefined)
  }
}

async function resumed(
  { store }: Context<'key'>,
  { id, seq, until: before }: AccountLog,
  until: string,
  now: Date,
): Promise<void> {
  const update = { id, seq, until: before }
  if (before > timestamp(now)) {
    await store.commit([{ in: 'account_logs', update, change: { $set: { until } } }])
    return
  }
  const data = { reason: 'no_listener', from: before, to: timestamp(now) }
  const insert = entryOf(id, seq + 1, { type: 'gap', at: timestamp(now), data })
  await store.commit([
    { in: 'account_logs', update, change: { $set: { until, seq: seq + 1 } } },
    { in: 'account_events', insert },
  ])
}
