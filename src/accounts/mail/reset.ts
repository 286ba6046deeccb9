import type { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { Unmet, type Write } from '#src/ports/store.ts'
import { recorded } from '../audit/commit.ts'
import { endOfConnections } from '../hosts/end.ts'
import { hashOf } from '../people/password.ts'
import { emailKey, isSpelt, passwordIsEmail, type StoredPerson } from '../people/person.ts'
import {
  forgotPath,
  newLink,
  resetSeconds,
  unknownLink,
  usableLink,
  usedLink,
  usingUp,
  type StoredMailLink,
} from './link.ts'
import { mailTo } from './mail.ts'
import { changedWords, noPasswordWords, resetWords } from './words.ts'

type Here = Context<'none'>

/** How long the notice of a change is tried to be sent. */
const noticeSeconds = 86_400

/**
 * The writes that send a link for a new password to an address; as many where no one has it. Who signs in by a provider
 * alone gets no password by that: the provider may have ended it.
 */
export async function resetAsked(context: Here, email: string): Promise<Write[]> {
  const { store, settings } = context
  const [person] = await store.persons.find({ email_key: emailKey(email) }, { limit: 1 })
  const to = person?.email ?? email
  const has = person?.password != null
  const link = newLink(context, { kind: 'reset', person_id: person?.id ?? null }, resetSeconds)
  const address = has ? link.address : `${settings.publicUrl}/sign-in`
  const words = (has ? resetWords : noPasswordWords)({ settings, email: to, address })
  const accountId = person?.account_id ?? null
  const letter = { kind: 'reset', to, accountId, holdsSeconds: resetSeconds, ...words } as const
  return [link.write, ...(await mailTo(context, letter, person !== undefined))]
}

/**
 * Sets a password by a link that was sent, and ends every session of the person with what was connected in them: who
 * knew the old password knows nothing of use now.
 * @throws Refusal `link_unusable`
 */
export async function resetBy(
  context: Here,
  code: string,
  password: string,
): Promise<Answer<{ email: string }>> {
  const { store, clock, commit, address, forgetCallers } = context
  const link = await usableLink(context, code, ['reset'])
  const person = await store.persons.get(link.person_id ?? '')
  if (!person) return unknownLink()
  const writes = await newPassword(context, { person, link, password })
  const note = { operation: 'auth.reset_password', about: {}, changed: ['password'] }
  const actor = { kind: 'person', person_id: person.id } as const
  const who = { accountId: person.account_id, actor, network: address }
  const value = { email: person.email }
  const answer = await recorded({ store, clock }, who, note, (chained) =>
    commit(value, [...writes, ...chained]),
  ).catch((cause: unknown) => {
    const isUsed = cause instanceof Unmet && cause.in === 'mail_links'
    return isUsed ? usedLink(cause) : Promise.reject(cause)
  })
  forgetCallers()
  return answer
}

async function newPassword(
  context: Here,
  { person, link, password }: { person: StoredPerson; link: StoredMailLink; password: string },
): Promise<Write[]> {
  const { store, clock } = context
  const { id, email } = person
  if (isSpelt(password, email)) refuse('invalid_input', passwordIsEmail)
  const now = clock.now()
  // The mail has reached them.
  const $set = { password: await hashOf(password), email_verified: true }
  return [
    usingUp(link, now),
    { in: 'persons', update: { id }, change: { $set } },
    { in: 'sessions', delete: { person_id: id } },
    // Who knew the old password may have added them.
    { in: 'passkeys', delete: { person_id: id } },
    { in: 'push_subscriptions', delete: { person_id: id } },
    // Who asked for the other links is not known.
    { in: 'mail_links', delete: { person_id: id, used_at: null } },
    ...(await endOfConnections(store, { person_id: id }, now)),
    ...(await changedMail(context, person)),
  ]
}

/** The writes that tell a person by mail that their password was changed. */
export function changedMail(
  context: Pick<Here, 'store' | 'clock' | 'sealer' | 'settings'>,
  { email, account_id: accountId }: Pick<StoredPerson, 'email' | 'account_id'>,
): Promise<Write[]> {
  const { settings } = context
  const address = settings.publicUrl + forgotPath
  const words = changedWords({ settings, email, address })
  const about = { kind: 'changed', to: email, accountId, holdsSeconds: noticeSeconds } as const
  return mailTo(context, { ...about, ...words })
}
