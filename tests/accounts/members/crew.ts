import type { AccountRole } from '#src/core/authorization/account-roles.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import { signedInPerson, type SignedInPerson } from '#tests/accounts/people/persons.ts'
import type { World } from '#tests/support/world.ts'

/** A person who acts for an account that is not their own. */
export interface Acting extends SignedInPerson {
  session: SentSession
}

/** An account that an agent made and a person took over. */
export interface Held {
  accountId: string
  key: string
  holder: Acting
}

/** An account with a holder. */
export async function heldAccount(world: World): Promise<Held> {
  const { key, id: accountId } = await world.account()
  const person = await signedInPerson(world.ports)
  const change = { $set: { holder_id: person.id } }
  await world.ports.store.accounts.update({ id: accountId }, change)
  return { accountId, key, holder: { ...person, session: { token: person.token, accountId } } }
}

/** The code of a new invitation into it. */
export async function inviteCode(
  { ask }: Pick<World, 'ask'>,
  by: Pick<Acting, 'session'>,
  input: { role: AccountRole; email?: string },
): Promise<string> {
  const { url } = await ask<{ url: string }>('account.members.invite', input, by.session)
  return url.split('/').at(-1) ?? ''
}

/** A new person who is invited into it and joins. */
export async function newMember(
  world: World,
  { accountId, holder }: Pick<Held, 'accountId' | 'holder'>,
  role: AccountRole,
): Promise<Acting> {
  const code = await inviteCode(world, holder, { role })
  const person = await signedInPerson(world.ports)
  await world.ask('account.members.join', { code }, { token: person.token })
  return { ...person, session: { token: person.token, accountId } }
}
