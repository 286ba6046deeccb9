import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { ownerOf, type Owner } from '#src/core/counts/quota-table.ts'

type Needed = Pick<Ports, 'store' | 'quotas'>

/** The seller, as quotas know it. */
export async function sellerOf({ store }: Pick<Needed, 'store'>, ownerId: string): Promise<Owner> {
  const account = await store.accounts.get(ownerId)
  return ownerOf(ownerId, account)
}

/** Whether the seller may have one more run today; asking counts none. */
export async function mayRun({ quotas }: Pick<Needed, 'quotas'>, seller: Owner): Promise<boolean> {
  const limit = quotas.limitOf('runs_a_day', seller)
  return limit === Infinity || (await quotas.usage(seller)).runs_a_day < limit
}

/** @throws Refusal `quota_exceeded` always, worded for the buyer */
export function noRunLeft(): never {
  return refuse('quota_exceeded', "The agent's account can take no further run for now.", {
    hint: 'Nothing was paid. Order again later, tomorrow at the latest.',
  })
}
