import type { Ports } from '#src/core/context.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { takeDue, type DueQueue } from '#src/core/turns/due-queue.ts'
import { stopReading } from '#src/knowledge/stop.ts'
import { endSubscriptionsOf } from '#src/money/payments/subscribe.ts'
import { disconnected } from '#src/agents/connections/remove.ts'
import { pauseOfClosed } from '#src/agents/tasks/reliability.ts'
import { cancelRuns } from '#src/runs/ending/cancel.ts'
import { stopped } from '#src/runs/schedules/pause.ts'
import type { Account } from '#src/accounts/account.ts'
import { endConnections } from '#src/accounts/hosts/end.ts'

/** Calls that were under way when the account closed have ended by then, and what they began can be ended. */
const lastLookSeconds = 600
/** Most end far sooner: the account is checked again after so long, then after longer and longer pauses. */
const firstLookSeconds = 5
const againSeconds = 60
const keysAtOnce = 200
const agentsAtOnce = 100
const runReason = 'account_closed'

const closed: DueQueue<Account> = {
  name: 'the end of an account',
  atOnce: 20,
  sideBySide: 1,
  find: ({ store }, now, limit) =>
    store.accounts.find(
      { closing_due_at: { $lte: timestamp(now) } },
      { sort: { closing_due_at: 1 }, limit },
    ),
  async take(ports, account, now) {
    await endAll(ports, account, now)
    const next = nextLook(account, now)
    const change =
      next === undefined
        ? { $unset: { closing_due_at: true as const } }
        : { $set: { closing_due_at: next } }
    await ports.store.accounts.update({ id: account.id }, change)
    return true
  },
  putOff({ store }, { id }, now) {
    const closing_due_at = secondsAfter(now, againSeconds)
    return store.accounts.update({ id }, { $set: { closing_due_at } })
  },
}

/**
 * Ends what closed accounts have left running: keys are revoked, tasks disabled, runs cancelled,
 * subscriptions ended, and nothing more is read. What is published, the wallet and the orders of others
 * stay as they are.
 * @returns how many accounts were handled
 */
export function closeAccounts(ports: Ports, now: Date): Promise<number> {
  return takeDue(ports, closed, now)
}

/** When it is checked again, if at all: calls that were under way may have begun something since. */
function nextLook({ closed_at }: Account, now: Date): string | undefined {
  const end = new Date(closed_at ?? now)
  const seconds = (now.getTime() - end.getTime()) / 1000
  if (seconds >= lastLookSeconds) return undefined
  const next = Math.max(firstLookSeconds, seconds * 2)
  return secondsAfter(end, Math.min(lastLookSeconds, next))
}

async function endAll(ports: Ports, { id: ownerId }: Account, now: Date): Promise<void> {
  // What is already running comes first: there may be many tasks.
  await cancelRuns(ports, { owner_id: ownerId }, runReason)
  await revokeKeys(ports, ownerId, now)
  await endConnections(ports.store, { account_id: ownerId }, now)
  await disableTasks(ports, ownerId, now)
  // Runs that were started meanwhile; no further ones can follow.
  await cancelRuns(ports, { owner_id: ownerId }, runReason)
  await stopReading(ports, ownerId)
  await disconnected(ports, ownerId)
  // Last, because the payment provider may be away and nothing else must wait for it.
  await endSubscriptionsOf(ports, ownerId)
}

async function disableTasks(ports: Ports, ownerId: string, now: Date): Promise<void> {
  const agents = await ports.store.characters.pick(['id'], { owner_id: ownerId })
  const ids = agents.map(([id]) => String(id))
  for (let done = 0; done < ids.length; done += agentsAtOnce) {
    const some = { $in: ids.slice(done, done + agentsAtOnce) }
    const tasks = await ports.store.tasks.pick(['id', 'char_id'], { char_id: some, enabled: true })
    // The tasks of one agent one after the other, since each changes the agent too.
    const ofEach = Map.groupBy(tasks, ([, charId]) => charId).values()
    await Promise.all(
      ofEach.map(async (own) => {
        for (const [id] of own) await disable(ports, String(id), now)
      }),
    )
  }
}

async function revokeKeys({ store }: Ports, accountId: string, now: Date): Promise<void> {
  const change = { $set: { revoked_at: timestamp(now) } }
  for (;;) {
    const left = { account_id: accountId, revoked_at: null }
    const keys = await store.api_keys.pick(['id'], left, { limit: keysAtOnce })
    // Lazily, so that all of them join one commit.
    await Promise.all(
      keys.map(([id]) => store.api_keys.update({ id: String(id) }, change, { lazy: true })),
    )
    if (keys.length < keysAtOnce) return
  }
}

async function disable({ store }: Ports, id: string, now: Date): Promise<void> {
  await retryUnmet(async () => {
    const previous = await store.tasks.get(id)
    if (!previous?.enabled) return
    await store.commit(stopped(previous, pauseOfClosed, now).writes)
  })
}
