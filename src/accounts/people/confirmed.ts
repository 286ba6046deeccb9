import type { PersonCaller } from '#src/core/admission/caller.ts'
import { signedOut } from '#src/core/admission/session-callers.ts'
import type { Ports } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'

/** How long after signing in, or after a confirmation, a person may do what cannot be undone. */
export const confirmedSeconds = 600

/** Notes that the person of a session has shown again who they are. */
export function confirmedNow(sessionId: string, now: Date): Write {
  return {
    in: 'sessions',
    update: { id: sessionId, revoked_at: null },
    change: { $set: { confirmed_at: timestamp(now) } },
  }
}

/**
 * Checks that the person has shown a moment ago who they are, so that a browser that was left open is not enough.
 * @throws Refusal `confirmation_needed`, `invalid_credential`
 */
export async function mustHaveConfirmed({
  store,
  caller,
  clock,
}: {
  store: Pick<Store, 'sessions'>
  caller: Pick<PersonCaller, 'keyId'>
  clock: Ports['clock']
}): Promise<void> {
  const session = await store.sessions.get(caller.keyId)
  if (!session || session.revoked_at !== null) throw signedOut()
  const { confirmed_at = '', created_at } = session
  const last = confirmed_at > created_at ? confirmed_at : created_at
  if (last > secondsAfter(clock.now(), -confirmedSeconds)) return
  refuse('confirmation_needed', 'Show first that it is you.', {
    hint: '<auth.confirm> takes your password or a passkey; who has neither signs in again. Then repeat this within ten minutes.',
  })
}
