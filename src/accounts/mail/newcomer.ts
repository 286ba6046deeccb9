import * as z from 'zod'
import { Answer } from '#src/core/answer.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { SealedFor } from '#src/core/seal.ts'
import { DuplicateKey, type Unmet, type Write } from '#src/ports/store.ts'
import { passedBy, wrongCode } from '../factor/pass.ts'
import { hashOf, isPassword } from '../people/password.ts'
import { emailKey, newPerson, type StoredPerson } from '../people/person.ts'
import { admittedBy } from '../people/provided.ts'
import { signIn, type SignedIn } from '../people/sign-in.ts'
import { countSignIn } from '../people/tries.ts'
import {
  forgotPath,
  newLink,
  unknownLink,
  unusable,
  usableLink,
  usedLink,
  usingUp,
  verifySeconds,
  type StoredMailLink,
} from './link.ts'
import { mailTo } from './mail.ts'
import { knownWords, verifyWords } from './words.ts'

type Here = Context<'none'>

/** What someone has registered with, until the address is verified. */
const Newcomer = z.strictObject({
  email: z.string(),
  /** In its stored form. */
  password: z.string(),
  invitation: z.string().nullable(),
  /** The path to go on to then. */
  next: z.string().nullable(),
})
export type Newcomer = z.infer<typeof Newcomer>

/** What `auth.register` answers where mails are sent: nothing of the address. */
export interface Mailed {
  person: null
  account_id: null
  mailed: true
}

/**
 * Has a link sent to who registers; nothing else is stored, and no invitation used up, until it is followed. The answer is
 * the same, and takes as long, for an address that is registered: its owner is told so by mail.
 */
export async function registerByMail(
  context: Here,
  { password, ...given }: Newcomer,
): Promise<Answer<Mailed>> {
  const { store, settings, sealer } = context
  const { email } = given
  const [known] = await store.persons.find({ email_key: emailKey(email) }, { limit: 1 })
  const newcomer: Newcomer = { ...given, password: await hashOf(password) }
  const sealed = (id: string) => sealer.seal(JSON.stringify(newcomer), sealOf(id))
  const link = newLink(context, { kind: 'register', person_id: null, sealed }, verifySeconds)
  const words = known
    ? knownWords({ settings, email: known.email, address: settings.publicUrl + forgotPath })
    : verifyWords({ settings, email, address: link.address })
  const to = known?.email ?? email
  const about = { kind: 'register', to, accountId: null, holdsSeconds: verifySeconds } as const
  // Not `context.commit`, which would use the invitation up.
  await store.commit([link.write, ...(await mailTo(context, { ...about, ...words }))])
  const value: Mailed = { person: null, account_id: null, mailed: true }
  return new Answer(JSON.stringify(value), { pending: true })
}

/** The path at which someone goes on who follows a link; null if none was named. @throws Refusal `link_unusable` */
export async function nextOf(
  context: Pick<Here, 'store' | 'clock' | 'sealer'>,
  code: string,
): Promise<string | null> {
  const link = await usableLink(context, code, ['register', 'verify'])
  return link.kind === 'register' ? newcomerOf(context, link).next : null
}

/**
 * Verifies an address by the link that was sent to it, and signs in who knows the password too: who has only the mail
 * may have been registered by someone else, who would know the password from then on.
 * @throws Refusal `link_unusable`, `login_failed`, `sign_up_closed`, `rate_limited`
 */
export async function verifyBy(
  context: Here,
  code: string,
  password: string,
  factorCode?: string,
): Promise<Answer<SignedIn>> {
  const link = await usableLink(context, code, ['register', 'verify'])
  if (link.kind === 'register') return comeIn(context, link, password)
  const person = await context.store.persons.get(link.person_id ?? '')
  if (!person) return unknownLink()
  await mustKnow(context, person, password)
  const used = await passedBy(context, person, factorCode)
  const { id, password: kept } = person
  const verified: StoredPerson = { ...person, email_verified: true }
  const changed = ['email_verified']
  const writes: Write[] = [
    usingUp(link, context.clock.now()),
    { in: 'persons', update: { id, password: kept }, change: { $set: { email_verified: true } } },
    ...used,
  ]
  return signIn(admittedBy(context), verified, { by: 'password', writes, changed, overtaken })
}

async function comeIn(
  context: Here,
  link: StoredMailLink,
  password: string,
): Promise<Answer<SignedIn>> {
  const { clock, invitations, address } = context
  const newcomer = newcomerOf(context, link)
  const { email, invitation } = newcomer
  await mustKnow(context, newcomer, password)
  const asked = { name: 'auth.register', toolsets: ['account'], admitsInvited: true } as const
  const sent = invitation === null ? {} : { invitation, email }
  const used = await invitations.admit(asked, sent, address)
  const made = newPerson(email, newcomer.password, clock.now(), { isVerified: true })
  const writes = [...used, usingUp(link, clock.now()), ...made.writes]
  const entering = { by: 'password', writes, overtaken }
  return signIn(admittedBy(context), made.person, entering).catch((cause: unknown) => {
    const isKnown = cause instanceof DuplicateKey && cause.in === 'persons'
    if (isKnown) return unusable('This address is registered by now: sign in with it.', cause)
    throw cause
  })
}

/** @throws Refusal `link_unusable` for a link that was used, or whose person has changed, meanwhile */
function overtaken(cause: Unmet): void {
  if (cause.in === 'mail_links') usedLink(cause)
  if (cause.in === 'persons') unknownLink()
  if (cause.in === 'second_factors') wrongCode()
}

async function mustKnow(
  context: Here,
  { email, password: kept }: Pick<StoredPerson, 'email' | 'password'>,
  password: string,
): Promise<void> {
  await countSignIn(context, emailKey(email))
  if (await isPassword(password, kept)) return
  refuse('login_failed', 'This is not the password that was chosen with this address.')
}

function newcomerOf(
  { sealer }: Pick<Here, 'sealer'>,
  { id, sealed = '' }: StoredMailLink,
): Newcomer {
  return Newcomer.parse(JSON.parse(sealer.open(sealed, sealOf(id))))
}

function sealOf(id: string): SealedFor {
  return { id, purpose: 'mail_link' }
}
