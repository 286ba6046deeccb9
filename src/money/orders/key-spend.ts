import { policyOf } from '#src/accounts/policy.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'

/**
 * Counts what a key is about to spend from the wallet of its account, where the account has a figure for that. All keys
 * count together, and the write is bound to what was counted before, so no two calls at once go beyond it.
 * @throws Refusal `person_needed` beyond the figure
 */
export async function keySpend(
  { store, caller, settings }: Context<'none'>,
  cents: number,
  now: Date,
): Promise<Write[]> {
  if (caller.kind !== 'key' || caller.personId !== undefined) return []
  const account = await store.accounts.get(caller.accountId)
  const most = policyOf(account).key_spend_cents_a_day
  if (!account || most === null) return []
  const day = timestamp(now).slice(0, 10)
  const before = account.key_spend
  const spent = before?.day === day ? before.cents : 0
  if (spent + cents > most) {
    const message = `Keys of the account may spend ${most} cents a day, and have spent ${spent} today: this costs ${cents}.`
    return refuse('person_needed', message, {
      hint: `A person who holds the account signs in at ${settings.publicUrl}/settings, and orders it with the session or raises the figure.`,
    })
  }
  const asRead = {
    id: account.id,
    key_spend_cents_a_day: most,
    ...(before
      ? { 'key_spend.day': before.day, 'key_spend.cents': before.cents }
      : { key_spend: { $exists: false } }),
  } as const
  const change = { $set: { key_spend: { day, cents: spent + cents } } }
  return [{ in: 'accounts', update: asRead, change }]
}
