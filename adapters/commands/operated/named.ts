import type { Account } from '#src/accounts/account.ts'
import type { Store } from '#src/ports/store.ts'
import { Refused } from '../command.ts'

/**
 * The account that the operator names: by its id, its name, or the e-mail address of the person who holds it.
 * @throws Refused where there is none, or several have the name
 */
export async function accountNamed(store: Store, name: string): Promise<Account> {
  const [found, ...others] = await named(store, name)
  if (!found) throw new Refused('There is no such account.')
  if (others.length === 0) return found
  throw new Refused('Several accounts are called that: give an id.')
}

async function named(store: Store, name: string): Promise<Account[]> {
  const account = await store.accounts.get(name)
  if (account) return [account]
  const persons = await store.persons.find({ email: name.toLowerCase() }, { limit: 2 })
  const held = persons.map(({ id }) => id)
  if (held.length > 0) return store.accounts.find({ holder_id: { $in: held } }, { limit: 2 })
  return store.accounts.find({ name }, { limit: 2 })
}
