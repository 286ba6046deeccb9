import type { Ports } from '#src/core/context.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Account } from './account.ts'

type Needed = Pick<Ports, 'store' | 'settings' | 'log' | 'forgetCallers'>

const daySeconds = 86_400
const keysAtMost = 1000

/**
 * Closes an unclaimed account that had no call and no completed run for long. An account with money in its
 * wallet stays, because the money would be lost.
 * @returns whether it was closed
 */
export async function closeIfIdle(
  { store, settings, log, forgetCallers }: Needed,
  account: Account,
  now: Date,
): Promise<boolean> {
  const days = settings.retention.idle_accounts
  if (days === Infinity || account.holder_id !== null) return false
  if (account.closed_at !== undefined) return false
  const since = secondsAfter(now, -days * daySeconds)
  if (account.created_at >= since || (account.completed_at ?? '') >= since) return false
  if (!(await isIdle(store, account.id, since))) return false
  const at = timestamp(now)
  const asRead = { id: account.id, holder_id: null, closed_at: null }
  const change = { $set: { closed_at: at, closing_due_at: at } }
  if (!(await store.accounts.update(asRead, change))) return false
  // It may have called in this very moment.
  forgetCallers()
  log.info('an idle account was closed', { account_id: account.id, days })
  return true
}

async function isIdle({ api_keys, runs, wallets }: Ports['store'], id: string, since: string) {
  const own = { account_id: id, revoked_at: null }
  const keys = await api_keys.pick(['last_used_at', 'created_at'], own, { limit: keysAtMost })
  if (keys.some(([used, made]) => String(used ?? made) >= since)) return false
  const completed = { owner_id: id, status: 'completed' } as const
  const page = { sort: { id: -1 }, limit: 1 } as const
  const [last] = await runs.pick(['finished_at'], completed, page)
  if (String(last?.[0] ?? '') >= since) return false
  const wallet = await wallets.get(id)
  const cents = wallet ? [wallet.available_cents, wallet.pending_cents, wallet.held_cents] : []
  return cents.every((one) => one === 0)
}
