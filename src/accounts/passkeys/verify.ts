import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { Settings } from '#src/core/settings.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { mustHavePasswords } from '../people/password.ts'
import type { StoredPerson } from '../people/person.ts'
import {
  challengeSeconds,
  newChallenge,
  openedChallenge,
  spentBy,
  type Challenge,
} from './challenge.ts'
import type { Answered } from './input.ts'
import type { StoredPasskey } from './passkey.ts'

type Needed = Pick<Ports, 'sealer' | 'clock' | 'settings'>

/** Loaded when the first person uses it. */
const library = () => import('@simplewebauthn/server')

/** ES256, RS256 and Ed25519, of which authenticators have at least one. */
const algorithms = [-7, -257, -8]

/** This service, as authenticators know it. */
function partyOf({ publicUrl }: Pick<Settings, 'publicUrl'>): { id: string; origin: string } {
  const { hostname: id, origin } = new URL(publicUrl)
  return { id, origin }
}

/** What an authenticator is asked that makes a passkey, in the session of its person. */
export async function askedToMake(
  context: Needed,
  { id, email }: Pick<StoredPerson, 'id' | 'email'>,
  sessionId: string,
  known: readonly Pick<StoredPasskey, 'credential_id' | 'transports'>[],
) {
  const { generateRegistrationOptions } = await library()
  const { id: rpID } = partyOf(context.settings)
  const { challenge, ticket } = newChallenge(context, sessionId)
  const options = await generateRegistrationOptions({
    rpName: rpID,
    rpID,
    userName: email,
    userID: new TextEncoder().encode(id),
    challenge,
    timeout: challengeSeconds * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports,
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { ticket, options: { ...options } }
}

/** What an authenticator is asked whose passkey signs in: it names no one, and takes whichever it has for this service. */
export async function askedToSignIn(context: Needed) {
  const { generateAuthenticationOptions } = await library()
  const { id: rpID } = partyOf(context.settings)
  const { challenge, ticket } = newChallenge(context, null)
  const options = await generateAuthenticationOptions({
    rpID,
    challenge,
    timeout: challengeSeconds * 1000,
    userVerification: 'required',
  })
  return { ticket, options: { ...options } }
}

/**
 * What is learnt of a passkey that was made, and the write that spends its question.
 * @throws Refusal `login_failed`
 */
export async function madeBy(context: Needed, sessionId: string, { ticket, answer }: Answered) {
  const asked = openedChallenge(context, ticket, sessionId)
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo: info } = await verifyRegistrationResponse({
    response: answerIn(answer),
    ...expected(context, asked),
    supportedAlgorithmIDs: algorithms,
  }).catch(unfit)
  if (!info) return unfit()
  const { id, publicKey, counter, transports = [] } = info.credential
  const made = {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transportsIn(transports),
    backed_up: info.credentialBackedUp,
  }
  return { made, spent: spentBy(asked) }
}

/** What the answer says of how its device is reached, as far as it has the form of that. */
function transportsIn(sent: unknown): string[] {
  const all: unknown[] = Array.isArray(sent) ? sent : []
  return all.filter((one) => typeof one === 'string' && one.length <= 32).slice(0, 8) as string[]
}

/**
 * The person whose passkey has answered, and the writes that spend the question and count the use: they fail where the
 * passkey was deleted or used meanwhile.
 * @throws Refusal `login_failed`, `passwords_off`
 */
export async function provenBy(
  context: Needed & Pick<Ports, 'store'>,
  { ticket, answer }: Answered,
): Promise<{ person: StoredPerson; writes: Write[] }> {
  const { store, clock, settings } = context
  mustHavePasswords(settings)
  const asked = openedChallenge(context, ticket, null)
  const response = answerIn(answer)
  const [passkey] = await store.passkeys.find({ credential_id: response.id }, { limit: 1 })
  const person = passkey && (await store.persons.get(passkey.person_id))
  if (!passkey || !person) return unfit()
  const { id, credential_id, public_key, counter } = passkey
  const { verifyAuthenticationResponse } = await library()
  const publicKey = new Uint8Array(Buffer.from(public_key, 'base64url'))
  const proven = await verifyAuthenticationResponse({
    response,
    ...expected(context, asked),
    credential: { id: credential_id, publicKey, counter },
  }).catch(unfit)
  if (!proven.verified) return unfit()
  const { newCounter, credentialBackedUp } = proven.authenticationInfo
  const now = timestamp(clock.now())
  const $set = { counter: newCounter, backed_up: credentialBackedUp, last_used_at: now }
  const counted: Write = { in: 'passkeys', update: { id, counter }, change: { $set } }
  return { person, writes: [counted, spentBy(asked)] }
}

function expected({ settings }: Pick<Needed, 'settings'>, { challenge }: Challenge) {
  const { id: expectedRPID, origin: expectedOrigin } = partyOf(settings)
  const here = { expectedRPID, expectedOrigin }
  return { ...here, expectedChallenge: challenge, requireUserVerification: true }
}

type Response = RegistrationResponseJSON & AuthenticationResponseJSON

function answerIn(answer: string): Response {
  try {
    const parsed: unknown = JSON.parse(answer)
    // The library checks the rest of it.
    if (typeof (parsed as Response | null)?.id === 'string') return parsed as Response
  } catch {
    // Anyone may send anything.
  }
  return unfit()
}

/** @throws Refusal `login_failed` */
export function unfit(cause?: unknown): never {
  return refuse('login_failed', 'This is no answer of a passkey that is known here.', { cause })
}
