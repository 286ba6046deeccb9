import * as z from 'zod'
import { refuse } from '#src/core/errors.ts'
import type { Settings } from '#src/core/settings.ts'
import { mustHavePasswords } from '../people/password.ts'
import type { StoredPerson } from '../people/person.ts'

/** How many passkeys a person has at most. */
export const passkeysAtMost = 10

export const Passkey = z
  .object({
    id: z.string(),
    name: z.string(),
    backed_up: z
      .boolean()
      .describe('Whether a service keeps it for several devices, and not one device alone.'),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
  })
  .meta({ id: 'Passkey' })
/** A passkey as its person sees it. */
export type Passkey = z.infer<typeof Passkey>

/** A passkey at rest: its public key, which opens nothing. */
export interface StoredPasskey extends Passkey {
  person_id: string
  /** The person's own account, with which it is exported. */
  account_id: string
  /** From 0 on; unique to the person, so that the limit holds however many are added at once. */
  slot: number
  /** The id that the authenticator gave it; unique. */
  credential_id: string
  /** COSE, in base64url. */
  public_key: string
  /** The last count of its uses: it only grows, unless the authenticator counts nothing. */
  counter: number
  /** How a browser reaches the authenticator. */
  transports: string[]
}

/** What an authenticator was asked and has answered rightly, at rest until it would be too old anyway. */
export interface SpentChallenge {
  /** SHA-256 of the challenge. */
  id: string
  expires_at: string
}

/** The passkey as its person sees it. */
export function publicPasskey(stored: StoredPasskey): Passkey {
  const { id, name, backed_up, created_at, last_used_at } = stored
  return { id, name, backed_up, created_at, last_used_at }
}

/**
 * Checks that a person may sign in by passkeys: who signs in by a provider alone may not, since a passkey would go on
 * after the provider has ended them. So there is always a password too, and no passkey is the last way in.
 * @throws Refusal `passwords_off`
 */
export function mayHavePasskeys(
  settings: Pick<Settings, 'signIn' | 'publicUrl'>,
  { password }: Pick<StoredPerson, 'password'>,
): void {
  mustHavePasswords(settings)
  if (password !== null) return
  refuse('passwords_off', 'You sign in by a provider alone, which a passkey would go round.')
}

/** @throws Refusal `passkey_limit_reached` */
export function enoughPasskeys(): never {
  return refuse('passkey_limit_reached', `A person has ${passkeysAtMost} passkeys at most.`, {
    hint: '<auth.passkeys.delete> deletes one.',
  })
}
