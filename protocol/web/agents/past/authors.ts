import { html, type Html } from '#src/core/html/html.ts'
import { addressesOf } from '#src/accounts/members/who.ts'
import { name } from '#src/views/parts.ts'
import type { Looking } from '#protocol/web/console/reader.ts'

/** Who made changes of the account, by the ids of the keys or sessions with which they did. */
export async function authorsOf(
  { terms: { store }, me, account }: Looking,
  actors: readonly string[],
): Promise<(actor: string) => Html> {
  const id = { $in: [...new Set(actors)] }
  const [keys, sessions] = await Promise.all([
    store.api_keys.pick(['id', 'name'], { id, account_id: account.id }),
    store.sessions.pick(['id', 'person_id'], { id }),
  ])
  const called = new Map(keys.map(([key, words]) => [key, String(words)]))
  const persons = new Map(sessions.map(([session, person]) => [session, String(person)]))
  const addresses = await addressesOf(store, [...persons.values()])
  return (actor) => {
    const key = called.get(actor)
    if (key !== undefined) return html`the key ${name(key)}`
    const person = persons.get(actor)
    if (person === me.person.id) return html`you`
    const address = person === undefined ? undefined : addresses.get(person)
    return address === undefined ? html`a key or session that has ended` : name(address)
  }
}
