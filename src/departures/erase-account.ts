import { removalOf } from './agent.ts'
import type { Ports } from '#src/core/context.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { secondsAfter } from '#src/core/time.ts'
import type { Account } from '#src/accounts/account.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { removeMessages } from '#src/agents/messages/remove.ts'
import { pageCharactersAtMost } from '#src/core/page.ts'

const daySeconds = 86_400
const atOnce = 20

/**
 * Deletes what an account has left that was closed long ago, and then the account itself: agents, apps,
 * keys and the claim. What also belongs to others expires by its own rules: messages, orders, and what it
 * wrote in the Commons. An account with money, or with runs that are still kept, waits for a later pass.
 * @returns how many agents, apps and accounts were deleted, step by step
 */
export async function* erased(ports: Ports, account: Account, now: Date): AsyncGenerator<number> {
  const { id, closed_at } = account
  if (closed_at === undefined || !isDue(ports, account, now)) return
  const { store } = ports
  for (;;) {
    const agents = await store.characters.find({ owner_id: id }, { sort: { id: 1 }, limit: atOnce })
    for (const agent of agents) {
      if (account.deleted_at !== undefined) yield await ownMessagesGone(ports, agent)
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
  if (!(await isEmpty(ports, account))) return
  const keys = await store.api_keys.pick(['id'], { account_id: id })
  await store.claims.delete({ key_id: { $in: keys.map(([key]) => String(key)) } })
  await store.notices.delete({ owner_id: id })
  await store.audit.delete({ account_id: id })
  await store.audit_heads.delete({ id })
  await store.account_events.delete({ owner_id: id })
  await store.spend_sums.delete({ owner_id: id })
  await store.budgets.delete({ owner_id: id })
  await store.tellings.delete({ account_id: id })
  await store.notification_settings.delete({ account_id: id })
  await store.account_logs.delete({ id })
  await store.api_keys.delete({ account_id: id })
  await store.memberships.delete({ account_id: id })
  await store.member_invitations.delete({ account_id: id })
  // Its own row, and those of what others have left with it: in ASCII, 0 follows the slash.
  await store.usage.delete({ id: { $gte: id, $lt: `${id}0` } })
  yield await store.accounts.delete({ id, closed_at })
}

/** Deletes what an agent wrote to others of its account; what others were sent stays theirs. */
async function ownMessagesGone(
  ports: Ports,
  { id, owner_id }: Pick<StoredCharacter, 'id' | 'owner_id'>,
): Promise<number> {
  const among = { from: id, from_owner: owner_id, to_owner: owner_id }
  const page = { sort: { id: 1 }, limit: atOnce, charactersAtMost: pageCharactersAtMost } as const
  let gone = 0
  for (;;) {
    const messages = await ports.store.messages.find(among, page)
    if (messages.length === 0) return gone
    gone += await removeMessages(ports, messages)
  }
}

/** Whether everything of it has ended, and its time is over: what an owner deleted has none. */
function isDue({ settings }: Ports, account: Account, now: Date): boolean {
  const { closed_at = '', closing_due_at, deleted_at } = account
  if (closing_due_at !== undefined) return false
  if (deleted_at !== undefined) return true
  const { closed_accounts: days } = settings.retention
  return days !== Infinity && closed_at < secondsAfter(now, -days * daySeconds)
}

/**
 * Whether the account has nothing left that is kept for a while, or for good. The books of one that an owner deleted
 * stay without it, once no money of it is under way.
 */
async function isEmpty({ store }: Ports, { id, deleted_at }: Account): Promise<boolean> {
  const one = { limit: 1 }
  const isDeleted = deleted_at !== undefined
  const bought = isDeleted ? { account_id: id, status: 'active' } : { account_id: id }
  const [runs, subscriptions, wallet] = await Promise.all([
    store.runs.pick(['id'], { owner_id: id }, one),
    store.subscriptions.pick(['id'], bought, one),
    store.wallets.get(id),
  ])
  if (runs.length > 0 || subscriptions.length > 0) return false
  return wallet === undefined || (isDeleted && wallet.held_cents + wallet.pending_cents === 0)
}
