import type { HandleCaller, KeyCaller, PersonCaller } from './caller.ts'
import type { Ports } from '../context.ts'
import { credentialCallers } from './credential-callers.ts'
import { sessionCallers } from './session-callers.ts'
import type { SentSession } from './session.ts'
import type { Settings } from '../settings.ts'

/** Resolves credentials to callers, and caches them until something changes. */
export interface Callers {
  /** @throws Refusal `invalid_credential`, `token_revoked` */
  identify(credential: string): Promise<KeyCaller | HandleCaller>
  /** @throws Refusal `invalid_credential`, `forbidden` for an account that the person does not hold */
  signedIn(session: SentSession): Promise<PersonCaller>
  /** Clears the cache: after a key was revoked or an account changed, here or in another process. */
  forget(): void
}

/** The callers of a store; the cache is cleared when any process changes them. */
export function callers(
  ports: Pick<Ports, 'store' | 'clock'> & { settings: Pick<Settings, 'signUp'> },
): Callers {
  const credentials = credentialCallers(ports)
  const sessions = sessionCallers(ports)
  const forget = (): void => {
    credentials.forget()
    sessions.forget()
  }
  ports.store.watch(forget)
  return { ...credentials, ...sessions, forget }
}
