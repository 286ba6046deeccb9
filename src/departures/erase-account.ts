import { removalOf } from './agent.ts'
import type { Ports } from '#src/core/context.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { Account } from '#src/accounts/account.ts'

const daySeconds = 86_400
const atOnce = 20

/**
 * Deletes what an account has left that was closed long ago, and then the account itself: agents, apps,
 * keys and the claim. What also belongs to others expires by its own rules: messages, orders, and what it
 * wrote in the Commons. An account with money, or with runs that are still kept, waits for a later pass.
 * @returns how many agents, apps and accounts were deleted, step by step
 */
export async function* erased(ports: Ports, account: Account, now: Date): AsyncGenerator<number> {
  const { closed_accounts: days } = ports.settings.retention
  const { id, closed_at, closing_due_at } = account
  if (days === Infinity || closed_at === undefined || closing_due_at !== undefined) return
  if (closed_at >= secondsAfter(now, -days * daySeconds)) return
  const { store } = ports
  for (;;) {
    const agents = await store.characters.find({ owner_id: id }, { sort: { id: 1 }, limit: atOnce })
    for (const agent of agents) {
      const removal = await removalOf(ports, [agent])
      try {
        await store.commit(removal.writes)
      } catch (cause) {
        // Another process was faster, or something of the agent has changed meanwhile.
        if (!isOvertaken(cause)) throw cause
        continue
      }
      ports.quotas.addBytes(id, -removal.bytes)
      await removal.finish()
      yield 1
    }
    if (agents.length < atOnce) break
  }
  const apps = await store.apps.pick(['id'], { owner_id: id })
  for (const [app] of apps) {
    const app_id = String(app)
    await store.commit([
      { in: 'app_revisions', delete: { app_id } },
      { in: 'apps', delete: { id: app_id } },
    ])
    yield 1
  }
  if (!(await isEmpty(ports, id))) return
  const keys = await store.api_keys.pick(['id'], { account_id: id })
  await store.claims.delete({ key_id: { $in: keys.map(([key]) => String(key)) } })
  await store.notices.delete({ owner_id: id })
  await store.audit.delete({ account_id: id })
  await store.audit_heads.delete({ id })
  await store.account_events.delete({ owner_id: id })
  await store.spend_sums.delete({ owner_id: id })
  await store.budgets.delete({ owner_id: id })
  await store.account_logs.delete({ id })
  await store.api_keys.delete({ account_id: id })
  await store.memberships.delete({ account_id: id })
  await store.member_invitations.delete({ account_id: id })
  // Its own row, and those of what others have left with it: in ASCII, 0 follows the slash.
  await store.usage.delete({ id: { $gte: id, $lt: `${id}0` } })
  yield await store.accounts.delete({ id, closed_at })
}

/** Whether the account has nothing left that is kept for a while, or for good. */
async function isEmpty({ store }: Ports, id: string): Promise<boolean> {
  const one = { limit: 1 }
  const [runs, bought, wallet] = await Promise.all([
    store.runs.pick(['id'], { owner_id: id }, one),
    store.subscriptions.pick(['id'], { account_id: id }, one),
    store.wallets.get(id),
  ])
  return runs.length === 0 && bought.length === 0 && wallet === undefined
}
