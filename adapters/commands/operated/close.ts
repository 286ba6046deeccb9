import type { Account } from '#src/accounts/account.ts'
import { personGone } from '#src/accounts/people/leave.ts'
import { refuse } from '#src/core/errors.ts'
import { accountGone, withoutMoney } from '#src/departures/delete-account.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** @throws Refusal `forbidden` for an account that is closed already */
export function mustBeClosable({ closed_at }: Account): void {
  if (closed_at !== undefined) refuse('forbidden', `The account was closed at ${closed_at}.`)
}

/**
 * The writes that delete an account as its owner does, with the person where it is that person's own.
 * @throws Refusal `wallet_not_empty`, `accounts_left`
 */
export async function writesToClose(
  store: Store,
  account: Account,
  isGivenUp: boolean,
  now: Date,
): Promise<Write[]> {
  const [person] =
    account.kind === 'person'
      ? await store.persons.find({ account_id: account.id }, { limit: 1 })
      : []
  return [
    ...(await withoutMoney(store, account.id, isGivenUp)),
    ...(await accountGone({ store }, account, now)),
    ...(person ? await personGone(store, person, now) : []),
  ]
}
