import type { Ports } from '#src/core/context.ts'
import { sizeOf } from '#src/core/quotas.ts'
import { retryUnmet } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { Unavailable } from '#src/ports/store.ts'
import { cancelRuns } from '#src/runs/cancelling.ts'
import { paused } from '#src/schedules/pausing.ts'
import type { Account } from './account.ts'

/** Calls that were under way when the account closed have ended by then, with what they began. */
const lastLookSeconds = 600
const againSeconds = 60
const accountsAtOnce = 20
const keysAtOnce = 200
const agentsAtOnce = 100
const reason = 'The account is closed: its claim was rejected.'

/**
 * Ends what closed accounts have left under way: keys are revoked, tasks disabled and runs cancelled.
 * What is published, the wallet and what others have ordered stay as they are.
 * @returns whether there may be more of them
 */
export async function closeAccounts(ports: Ports, now: Date): Promise<boolean> {
  const { accounts } = ports.store
  const due = await accounts.find(
    { closing_due_at: { $lte: timestamp(now) } },
    { sort: { closing_due_at: 1 }, limit: accountsAtOnce },
  )
  for (const account of due) {
    const next = await lookedAt(ports, account, now)
    const change =
      next === undefined
        ? { $unset: { closing_due_at: true as const } }
        : { $set: { closing_due_at: next } }
    await accounts.update({ id: account.id }, change)
  }
  return due.length === accountsAtOnce
}

/** @returns when it is looked at again, if it is */
async function lookedAt(ports: Ports, account: Account, now: Date): Promise<string | undefined> {
  try {
    await endAll(ports, account, now)
  } catch (cause) {
    if (cause instanceof Unavailable) throw cause
    // The others must not wait for this one.
    ports.log.error('an account could not be closed', { account_id: account.id, cause })
    return secondsAfter(now, againSeconds)
  }
  const last = secondsAfter(new Date(account.closed_at ?? now), lastLookSeconds)
  return last > timestamp(now) ? last : undefined
}

async function endAll(ports: Ports, { id: ownerId }: Account, now: Date): Promise<void> {
  await revokeKeys(ports, ownerId, now)
  // Before the runs, so that none of them is followed by another one.
  const agents = await ports.store.characters.pick(['id'], { owner_id: ownerId })
  const ids = agents.map(([id]) => String(id))
  for (let done = 0; done < ids.length; done += agentsAtOnce) {
    const some = { $in: ids.slice(done, done + agentsAtOnce) }
    const tasks = await ports.store.tasks.pick(['id'], { char_id: some, enabled: true })
    for (const [id] of tasks) await disable(ports, String(id), now)
  }
  await cancelRuns(ports, { owner_id: ownerId }, 'account_closed')
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

async function disable({ store, quotas }: Ports, id: string, now: Date): Promise<void> {
  await retryUnmet(async () => {
    const previous = await store.tasks.get(id)
    if (!previous?.enabled) return
    const { task, writes } = paused(previous, reason, now)
    await store.commit(writes)
    quotas.addBytes(task.owner_id, sizeOf(task) - sizeOf(previous))
  })
}
