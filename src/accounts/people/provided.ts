import type { Answer } from '#src/core/answer.ts'
import { overLimit } from '#src/core/admission/limits-of.ts'
import { takeForNetworks } from '#src/core/admission/networks.ts'
import { unknownInvitation, whomToAsk } from '#src/core/admission/sign-up.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { contended } from '#src/core/revision.ts'
import type { SignInProvider } from '#src/core/settings.ts'
import type { ProvidedIdentity } from '#src/ports/oauth.ts'
import { DuplicateKey, Unmet, type Write } from '#src/ports/store.ts'
import { endOfConnections } from '../hosts/end.ts'
import { usedLink } from '../mail/link.ts'
import { identityId, newIdentity, speaksFor } from './identity.ts'
import { emailKey, newPerson, type StoredPerson } from './person.ts'
import { signIn, type Entering, type SignedIn } from './sign-in.ts'

type Here = Context<'none'>

/** Who comes, by whom, and what admits them if they are new. */
export interface Provided {
  provider: SignInProvider
  identity: ProvidedIdentity
  invitation: string | null
}

/** Each failed try means that the same person was made or linked meanwhile, which happens once. */
const tries = 3

/**
 * Signs in the person whom a provider names: the one who is known by that, else one whose address it speaks for,
 * else a new one.
 * @throws Refusal `login_failed`, `email_taken`, `sign_up_closed`, `rate_limited`
 */
export async function enterProvided(context: Here, provided: Provided): Promise<Answer<SignedIn>> {
  mustSpeakFor(context, provided)
  for (let i = 0; i < tries; i++) {
    try {
      return await entered(context, provided)
    } catch (cause) {
      const isMade = cause instanceof DuplicateKey && ofPerson.has(cause.in)
      if (!isMade) throw cause
    }
  }
  return contended('The same person is signing in elsewhere.')
}

const ofPerson: ReadonlySet<string> = new Set(['persons', 'identities'])

async function entered(context: Here, provided: Provided): Promise<Answer<SignedIn>> {
  const { store, clock } = context
  const { identity } = provided
  const by = identity.issuer
  const known = await store.identities.get(identityId(identity))
  const person = known && (await store.persons.get(known.person_id))
  if (person) return signIn(context, person, { by })
  const email = verifiedEmail(context, provided)
  const [namesake] = await store.persons.find({ email_key: emailKey(email) }, { limit: 1 })
  if (namesake) return linked(context, namesake, provided)
  const used = await admission(context, provided, email)
  const made = newPerson(email, null, clock.now())
  const insert = newIdentity(identity, made.person, clock.now())
  const writes: Write[] = [...used, { in: 'identities', insert }, ...made.writes]
  return signIn(admittedBy(context), made.person, { by, writes })
}

/** Where it speaks for domains, it speaks for no one else, at any time. */
function mustSpeakFor({ settings }: Here, { provider, identity }: Provided): void {
  const { email, isVerified } = identity
  if (provider.domains.length === 0) return
  if (email !== null && isVerified && speaksFor(provider, email)) return
  refuse(
    'login_failed',
    `${provider.name} does not say that you have an e-mail address of ${list(provider.domains)}.`,
    {
      hint: `Only those sign in by it here. ${whomToAsk(settings.signUp)}`,
    },
  )
}

function verifiedEmail({ settings }: Here, { provider, identity }: Provided): string {
  const { email, isVerified } = identity
  if (email !== null && isVerified) return email
  const lacks =
    email === null ? 'does not name your e-mail address' : 'has not verified your e-mail address'
  return refuse('login_failed', `${provider.name} ${lacks}.`, {
    hint: `The first time, it has to. ${whomToAsk(settings.signUp)}`,
  })
}

/**
 * A person of the same address. Who chose its password never showed that the address is theirs; the provider says so
 * of this one: the password, passkeys, every session before this, and what was connected in them end.
 */
async function linked(
  context: Here,
  person: StoredPerson,
  { provider, identity }: Provided,
): Promise<Answer<SignedIn>> {
  const { store, settings, caller, clock, forgetCallers } = context
  if (!speaksFor(provider, person.email)) {
    const other = settings.signIn.passwords
      ? 'Sign in by its password'
      : 'Sign in as you did before'
    refuse(
      'email_taken',
      `Your e-mail address is registered here already, in another way than by ${provider.name}.`,
      {
        hint: `${other}, or ask the operator to name the domain of your address for ${provider.name}.`,
      },
    )
  }
  const brought = caller.kind === 'key' ? caller.keyId : ''
  const entering: Entering = {
    by: identity.issuer,
    changed: ['identities', 'password'],
    writes: [
      { in: 'identities', insert: newIdentity(identity, person, clock.now()) },
      {
        in: 'persons',
        update: { id: person.id },
        change: { $set: { password: null, email_verified: true } },
      },
      { in: 'sessions', delete: { person_id: person.id, id: { $ne: brought } } },
      { in: 'passkeys', delete: { person_id: person.id } },
      { in: 'push_subscriptions', delete: { person_id: person.id } },
      ...(await endOfConnections(store, { person_id: person.id }, clock.now())),
    ],
  }
  const answer = await signIn(context, { ...person, email_verified: true }, entering)
  forgetCallers()
  return answer
}

/** What a newcomer uses up. A person of a domain that the provider speaks for is admitted anyway. */
async function admission(
  { settings, invitations, limiter, address }: Here,
  { provider, invitation }: Provided,
  email: string,
): Promise<readonly Write[]> {
  if (speaksFor(provider, email)) return []
  const limit = settings.limits.registrations
  if (limit) {
    const state = await takeForNetworks(limiter, 'registrations', limit, { address })
    if (!state.admitted) throw overLimit(state)
  }
  const asked = { name: 'auth.register', toolsets: ['account'], admitsInvited: true } as const
  const sent = invitation === null ? {} : { invitation, email }
  return invitations.admit(asked, sent, address)
}

/** Of two newcomers with the last use of an invitation, or with one link, the slower one is told so. */
export function admittedBy(context: Here): Here {
  return {
    ...context,
    commit: (...ending) =>
      context.commit(...ending).catch((cause: unknown) => {
        if (cause instanceof Unmet && cause.in === 'mail_links') {
          return usedLink(cause)
        }
        const isUsed = cause instanceof Unmet && usedUp.has(cause.in)
        throw isUsed ? unknownInvitation(context.settings.signUp, cause) : cause
      }),
  }
}

const usedUp: ReadonlySet<string> = new Set(['invitations', 'claims', 'member_invitations'])

function list(domains: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(domains.slice(0, 5))
}
