import type { HandleCaller, KeyCaller, PersonCaller } from './caller.ts'
import type { Ports } from '../context.ts'
import { credentialCallers } from './credential-callers.ts'
import { sessionCallers } from './session-callers.ts'
import { tokenCallers } from '../authorization/token-callers.ts'
import type { SentSession } from './session.ts'
import { isAccessToken } from '../ids.ts'
import type { Settings } from '../settings.ts'
import type { Touched } from '#src/ports/touched.ts'

/** Resolves credentials to callers, and caches them until what they are made of changes. */
export interface Callers {
  /** @throws Refusal `invalid_credential`, `token_revoked`, `account_suspended` */
  identify(credential: string, address?: string): Promise<KeyCaller | HandleCaller>
  /** @throws Refusal `invalid_credential`, `account_suspended`, `forbidden` for an account that the person is no member of */
  signedIn(session: SentSession): Promise<PersonCaller>
  /** Clears the cache: after a key was revoked or an account changed in this process. */
  forget(): void
}

/** The callers of a store; those that another process changes are forgotten. */
export function callers(
  ports: Pick<Ports, 'store' | 'clock' | 'networkUsed'> & { settings: Pick<Settings, 'signUp'> },
): Callers {
  const credentials = credentialCallers(ports)
  const sessions = sessionCallers(ports)
  const tokens = tokenCallers(ports)
  const forget = (touched: Touched): void => {
    credentials.forget(touched)
    sessions.forget(touched)
    tokens.forget(touched)
  }
  ports.store.watch(forget)
  return {
    identify: (credential, address) =>
      isAccessToken(credential)
        ? tokens.identify(credential)
        : credentials.identify(credential, address),
    signedIn: (session) => sessions.signedIn(session),
    forget: () => forget('all'),
  }
}
