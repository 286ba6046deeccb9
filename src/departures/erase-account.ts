import { removalOf } from './agent.ts'
import type { Ports } from '#src/core/context.ts'
import { secondsAfter } from '#src/core/time.ts'
import { Unmet } from '#src/ports/store.ts'
import type { Account } from '#src/accounts/account.ts'

const daySeconds = 86_400
const atOnce = 20

/**
 * Deletes what a closed account has left once it was closed for long, and then itself: agents, apps, keys
 * and the claim. What is of others too goes in its own time: messages, orders, and what it wrote in the
 * Commons. An account with money, or with runs that are still kept, waits for a later walk.
 * @returns how many agents, apps and accounts went, step by step
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
        // Another process was quicker.
        if (!(cause instanceof Unmet)) throw cause
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
  await store.api_keys.delete({ account_id: id })
  // Its own row, and those of what others have left with it: a zero follows the slash.
  await store.usage.delete({ id: { $gte: id, $lt: `${id}0` } })
  yield await store.accounts.delete({ id, closed_at })
}

/** Whether nothing rests on the account any more that is kept for a while, or for good. */
async function isEmpty({ store }: Ports, id: string): Promise<boolean> {
  const one = { limit: 1 }
  const [runs, bought, wallet] = await Promise.all([
    store.runs.pick(['id'], { owner_id: id }, one),
    store.subscriptions.pick(['id'], { account_id: id }, one),
    store.wallets.get(id),
  ])
  return runs.length === 0 && bought.length === 0 && wallet === undefined
}
