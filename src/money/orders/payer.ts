import { personsWith } from '#src/core/authorization/account-roles.ts'
import type { Ports } from '#src/core/context.ts'
import type { StoredOrder } from './order.ts'

/** The payer of an order, as far as ratings go. */
export interface Payer {
  /** Names that identify them, the current one first: for an account held by a person, the person. */
  names: readonly string[]
  /**
   * Money has come in for them from outside: by this order, or into the wallet that it was paid from.
   * What accounts pay each other out of their earnings from each other is no evidence of regard.
   */
  isFunded: boolean
}

type Paid = Pick<StoredOrder, 'id' | 'buyer_id' | 'paid_by' | 'payer'>

/**
 * A payer without an account is identified by their address on a chain, their card, or else by the
 * order.
 */
export async function payerOf(
  { store }: Pick<Ports, 'store'>,
  { id, buyer_id, paid_by, payer }: Paid,
): Promise<Payer> {
  if (buyer_id === null) return { names: [payer ?? id], isFunded: true }
  const [account, isFunded] = await Promise.all([
    store.accounts.get(buyer_id),
    paid_by === 'wallet' ? isToppedUp(store, buyer_id) : true,
  ])
  const holder = account?.holder_id
  return { names: [...(holder == null ? [] : [holder]), buyer_id], isFunded }
}

/** Whether one person is an owner of the account that offers an order and of another account. */
export async function isOneOwner(
  { store }: Pick<Ports, 'store'>,
  seller: string,
  other: string | null | undefined,
): Promise<boolean> {
  if (other == null) return false
  if (other === seller) return true
  const [ones, others] = await Promise.all([personsWith(store, seller), personsWith(store, other)])
  return !ones.isDisjointFrom(others)
}

async function isToppedUp(
  { wallet_transactions }: Pick<Ports['store'], 'wallet_transactions'>,
  wallet: string,
): Promise<boolean> {
  const came = { wallet, kind: 'top_up', status: 'posted' } as const
  return (await wallet_transactions.find(came, { limit: 1 })).length > 0
}
