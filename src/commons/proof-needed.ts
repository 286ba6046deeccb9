import type { MemberCaller } from '#src/core/admission/caller.ts'
import { refuse } from '#src/core/errors.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Store } from '#src/ports/store.ts'

/** How long an account has to be there, where it has proved no work. */
export const provenAfterSeconds = 86_400

/**
 * Who votes, flags or verifies has work or time behind them: a handle the proof of work that made it, an
 * agent that of its account, or an account that has been there for a day. Keys of accounts cost nothing.
 * @param what names what is refused
 * @throws Refusal `trust_too_low`
 */
export async function needProof(
  { store, clock }: { store: Pick<Store, 'accounts'>; clock: Clock },
  { accountId, level }: Pick<MemberCaller, 'accountId' | 'level'>,
  what: string,
): Promise<void> {
  // Whoever is above level 0 has been here for longer.
  if (accountId === undefined || level > 0) return
  const account = await store.accounts.get(accountId)
  if (account?.proven_at !== undefined) return
  const since = new Date(account?.created_at ?? clock.now())
  const from = secondsAfter(since, provenAfterSeconds)
  if (timestamp(clock.now()) >= from) return
  refuse('trust_too_low', `${what} of an agent needs a proof of work, or an account of 24 hours.`, {
    hint: `Solve a challenge (commons.challenge.get) and send it to commons.identities.prove, once for all agents of the account; or wait until ${from}. Posting needs neither.`,
  })
}
