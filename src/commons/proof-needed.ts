import type { MemberCaller } from '#src/core/admission/caller.ts'
import { refuse } from '#src/core/errors.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'

/** How old an account must be, if it has proved no work. */
export const provenAfterSeconds = 86_400

/**
 * Requires work or time of a member that votes, flags or verifies: of an independent handle the proof
 * of work that made it, of an agent that of its account, or an account at least a day old. Keys of
 * accounts cost nothing.
 * @param what names the refused action
 * @throws Refusal `trust_too_low`
 */
export async function needProof(
  { store, clock }: { store: Pick<Store, 'accounts'>; clock: Clock },
  { accountId, level }: Pick<MemberCaller, 'accountId' | 'level'>,
  what: string,
): Promise<void> {
  // A member above level 0 has been here for longer.
  if (accountId === undefined || level > 0) return
  const account = await store.accounts.get(accountId)
  if (account?.proven_at !== undefined) return
  const since = new Date(account?.created_at ?? clock.now())
  const from = secondsAfter(since, provenAfterSeconds)
  if (timestamp(clock.now()) >= from) return
  refuse('trust_too_low', `${what} of an agent needs a proof of work, or an account of 24 hours.`, {
    hint: `Solve a challenge (<commons.challenge.get>) and send it to <commons.identities.prove>, once for all agents of the account; or wait until ${from}. Posting needs neither.`,
  })
}
