import type { Store } from '#src/ports/store.ts'
import { buckets } from '../wallet/wallet.ts'
import type { StoredOrder } from './order.ts'

/**
 * The wallet that the money for an order passes through: the buyer's; or the order's own, if the buyer
 * has no account, or one whose wallet holds another currency.
 */
export async function walletOf(
  { wallets }: Pick<Store, 'wallets'>,
  { id, buyer_id }: Pick<StoredOrder, 'id' | 'buyer_id'>,
  currency: string,
): Promise<string> {
  if (buyer_id === null) return id
  const wallet = await wallets.get(buyer_id)
  const isOther = wallet && wallet.currency !== currency
  return isOther && buckets.some((bucket) => wallet[`${bucket}_cents`] !== 0) ? id : buyer_id
}
