import { countedUpTo, type BoundedCount } from '#src/core/counts/bounded.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import type { Documents } from '#src/ports/documents.ts'

/** A thing of an account: its name, its maker and its id. */
export interface NamedThing {
  id: string
  name: string
}

/** The newest things of an account, and the number of all. */
export interface Some {
  newest: NamedThing[]
  count: number
}

/** What an account has, holds and has spent. */
export interface Holdings {
  agents: Some
  apps: Some
  /** Runs of its agents, including ended ones. */
  runs: BoundedCount
  /** Keys that are not revoked. */
  keys: number
  /** Null if nothing was ever paid into it. */
  wallet: WalletLook | null
}

/** The figures of a wallet. */
export interface WalletLook {
  currency: string
  available_cents: number
  /** Bound by orders under way and by payments that are not final yet. */
  bound_cents: number
  /** Charged for orders that were delivered. */
  spent_cents: number
  /** There are more charges than were added up. */
  spentMore: boolean
}

/** How many agents or apps are named. */
export const namedAtMost = 50
const chargesAtMost = 1000

/** Its newest agents, and how many it has. @throws Unavailable */
export async function agentsOf(store: Store, accountId: string): Promise<Some> {
  const newest = { sort: { created_at: -1 }, limit: namedAtMost } as const
  const [rows, usage] = await Promise.all([
    store.characters.pick(['id', 'name'], { owner_id: accountId }, newest),
    store.usage.get(accountId),
  ])
  return { newest: rows.map(namedOf), count: usage?.agents ?? 0 }
}

/** What this account has. @throws Unavailable */
export async function holdingsOf(store: Store, accountId: string): Promise<Holdings> {
  const own = { owner_id: accountId }
  const newest = { sort: { created_at: -1 }, limit: namedAtMost } as const
  const [agents, apps, usage, runs, keys, wallet] = await Promise.all([
    agentsOf(store, accountId),
    store.apps.pick(['id', 'name'], own, newest),
    store.usage.get(accountId),
    countedUpTo(store.runs, own),
    store.api_keys.count({ account_id: accountId, revoked_at: null }),
    walletOf(store, accountId),
  ])
  return {
    agents,
    apps: { newest: apps.map(namedOf), count: usage?.apps ?? 0 },
    runs,
    keys,
    wallet,
  }
}

function namedOf([id, name]: Picked): NamedThing {
  return { id: String(id), name: String(name ?? id) }
}

async function walletOf(store: Store, accountId: string): Promise<WalletLook | null> {
  const wallet = await store.wallets.get(accountId)
  if (!wallet) return null
  const filter: Filter<Documents['wallet_transactions']> = { wallet: accountId, kind: 'charge' }
  const options = { sort: { nth: -1 }, limit: chargesAtMost + 1 } as const
  const charges = await store.wallet_transactions.pick(['amount_cents'], filter, options)
  const counted = charges.slice(0, chargesAtMost)
  return {
    currency: wallet.currency,
    available_cents: wallet.available_cents,
    bound_cents: wallet.held_cents + wallet.pending_cents,
    spent_cents: -counted.reduce((sum, [cents]) => sum + Number(cents), 0),
    spentMore: charges.length > chargesAtMost,
  }
}
