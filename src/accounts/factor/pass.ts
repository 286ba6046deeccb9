import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import { contended } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import * as z from 'zod'
import type { StoredPerson } from '../people/person.ts'
import { recoveryHash, stepOf } from './code.ts'
import { factorSeal, tried, type StoredFactor } from './factor.ts'

type Needed = Pick<Ports, 'store' | 'sealer' | 'clock'>

/** How long a right password waits for the code. */
const pendingSeconds = 600
const binding = { id: 'entrance', purpose: 'second_factor_pending' }

const Pending = z.strictObject({ person_id: z.string(), password: z.string(), until: z.string() })

/** The factor that is asked for when a person signs in by password; undefined without one. */
export async function factorOf(
  { second_factors }: Pick<Store, 'second_factors'>,
  personId: string,
): Promise<StoredFactor | undefined> {
  const factor = await second_factors.get(personId)
  return factor && factor.enabled_at !== null ? factor : undefined
}

/**
 * After a right password: the writes that count the code, or none where none is asked for.
 * @throws Refusal `second_factor_required` without a code, `login_failed` for a wrong one, `rate_limited`
 */
export async function passedBy(
  context: Needed,
  person: Pick<StoredPerson, 'id' | 'password'>,
  code: string | undefined,
): Promise<Write[]> {
  const factor = await factorOf(context.store, person.id)
  if (!factor) return []
  return code === undefined ? stillNeeded(context, person) : passed(context, person.id, code)
}

/** Nothing but this opens the session that the password has earned: it is no credential. */
function stillNeeded(
  { sealer, clock }: Needed,
  { id, password }: Pick<StoredPerson, 'id' | 'password'>,
): never {
  const until = secondsAfter(clock.now(), pendingSeconds)
  const waits = { person_id: id, password: digest(password ?? ''), until }
  return refuse('second_factor_required', 'The password is right; a code is needed too.', {
    hint: '<auth.second_factor.pass> takes "pending" with the code of the app, or a recovery code. Or send "code" with the password.',
    members: { pending: sealer.seal(JSON.stringify(waits), binding) },
  })
}

/** The person whose right password waits for a code. @throws Refusal `login_failed` */
export async function whoWaits({ store, sealer, clock }: Needed, pending: string) {
  const waits = opened(sealer, pending)
  const isInTime = waits !== undefined && waits.until > timestamp(clock.now())
  const person = isInTime ? await store.persons.get(waits.person_id) : undefined
  if (!person || waits?.password !== digest(person.password ?? '')) {
    return refuse('login_failed', 'This is too old: enter the password again.')
  }
  return person
}

function opened(sealer: Needed['sealer'], pending: string) {
  try {
    return Pending.parse(JSON.parse(sealer.open(pending, binding)))
  } catch {
    // Anyone may send anything.
    return undefined
  }
}

/**
 * The writes that count a code as used, for the commit that it opens. The try itself is counted at once, however many
 * come at the same time.
 * @throws Refusal `login_failed`, `rate_limited`
 */
export async function passed(context: Needed, personId: string, code: string): Promise<Write[]> {
  const { sealer, clock } = context
  const factor = await countedTry(context, personId)
  const { id, revision, last_step, recovery, sealed } = factor
  const asRead = { id, revision }
  const right = { tries: 0, revision: revision + 1 }
  const typed = code.replaceAll(' ', '')
  const step = await stepOf(sealer.open(sealed, factorSeal(id)), typed, clock.now())
  if (step !== undefined && step > last_step) {
    return [
      { in: 'second_factors', update: asRead, change: { $set: { ...right, last_step: step } } },
    ]
  }
  const hash = recoveryHash(id, typed)
  if (factor.enabled_at !== null && recovery.includes(hash)) {
    const left = recovery.filter((one) => one !== hash)
    return [
      { in: 'second_factors', update: asRead, change: { $set: { ...right, recovery: left } } },
    ]
  }
  return wrongCode()
}

/** @throws Refusal `login_failed` */
export function wrongCode(): never {
  return refuse('login_failed', 'This code is wrong, too old, or was used before.')
}

const atOnce = 20

async function countedTry({ store, clock }: Needed, personId: string): Promise<StoredFactor> {
  for (let i = 0; i < atOnce; i++) {
    const factor = await store.second_factors.get(personId)
    if (!factor) return wrongCode()
    const now = clock.now()
    const next = tried(factor, now)
    if (!next) return tooMany(factor, now)
    const { tries, tries_until, revision } = next
    const asRead = { id: personId, revision: factor.revision }
    const change = { $set: { tries, tries_until, revision } }
    if (await store.second_factors.update(asRead, change)) return next
  }
  return contended('Codes of the same person are tried elsewhere.')
}

function tooMany({ tries_until }: StoredFactor, now: Date): never {
  const retryAfterSeconds = Math.ceil((Date.parse(tries_until) - now.getTime()) / 1000)
  return refuse('rate_limited', 'Too many codes were tried.', {
    retryAfterSeconds,
    hint: 'Each code that an app shows is new: the next one counts then.',
  })
}

/** Who changes their factor: the person who is signed in. @throws Refusal `passwords_off` for one without a password */
export function mustHavePassword({ password }: Pick<StoredPerson, 'password'>): void {
  if (password !== null) return
  refuse('passwords_off', 'You have no password, which a second factor would come after.')
}
