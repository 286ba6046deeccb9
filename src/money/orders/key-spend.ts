import { policyOf } from '#src/accounts/policy.ts'
import type { Account } from '#src/accounts/account.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import { timestamp } from '#src/core/time.ts'
import type { StoredCheckout } from '../payments/checkout.ts'
import type { Store, Write } from '#src/ports/store.ts'

type Needed = Pick<Context<'none'>, 'store' | 'caller' | 'settings'>

/** An account with a figure for what its keys spend in a day, and what they have spent today. */
interface Spending {
  account: Account
  most: number
  day: string
  spent: number
}

/**
 * Counts what a key is about to spend, from the wallet of its account or by x402, where the account has a figure for
 * that. All keys count together, and the write is bound to what was counted before, so no two calls at once go beyond
 * it.
 * @throws Refusal `person_needed` beyond the figure
 */
export async function keySpend(context: Needed, cents: number, now: Date): Promise<Write[]> {
  const spending = await allowed(context, cents, now)
  return spending ? [counting(spending, cents)] : []
}

/**
 * Refuses a key a checkout beyond the figure. It is counted when it is paid (`spentAtCheckout`), as many pages never
 * are: so the checkout says that a key has opened it.
 * @throws Refusal `person_needed`
 */
export async function checkoutByKey(
  context: Needed,
  cents: number,
  now: Date,
): Promise<Pick<StoredCheckout, 'by_key'>> {
  await allowed(context, cents, now)
  return isKey(context.caller) ? { by_key: true } : {}
}

/** Counts what was paid at a checkout, if a key has opened it. It has happened: nothing is refused any more. */
export async function spentAtCheckout(
  store: Pick<Store, 'accounts'>,
  { by_key, kind, account_id, amount_cents }: StoredCheckout,
  now: Date,
): Promise<Write[]> {
  // What fills the wallet is counted when it is spent from there.
  if (!by_key || kind === 'top_up' || account_id === null) return []
  const spending = await spendingOf(store, account_id, now)
  return spending ? [counting(spending, amount_cents)] : []
}

/** Whether a key calls, and not a person by their session. */
function isKey(caller: Needed['caller']): boolean {
  return caller.kind === 'key' && caller.personId === undefined
}

async function allowed(
  { store, caller, settings }: Needed,
  cents: number,
  now: Date,
): Promise<Spending | undefined> {
  if (caller.kind !== 'key' || !isKey(caller)) return undefined
  const spending = await spendingOf(store, caller.accountId, now)
  if (!spending || spending.spent + cents <= spending.most) return spending
  const { most, spent } = spending
  const message = `Keys of the account may spend ${most} cents a day, and have spent ${spent} today: this costs ${cents}.`
  return refuse('person_needed', message, {
    hint: `An owner of the account signs in at ${settings.publicUrl}/settings, and orders it with the session or raises the figure.`,
  })
}

async function spendingOf(
  { accounts }: Pick<Store, 'accounts'>,
  id: string,
  now: Date,
): Promise<Spending | undefined> {
  const account = await accounts.get(id)
  const most = policyOf(account).key_spend_cents_a_day
  if (!account || most === null) return undefined
  const day = timestamp(now).slice(0, 10)
  const spent = account.key_spend?.day === day ? account.key_spend.cents : 0
  return { account, most, day, spent }
}

function counting({ account, most, day, spent }: Spending, cents: number): Write {
  const before = account.key_spend
  const asRead = {
    id: account.id,
    key_spend_cents_a_day: most,
    ...(before
      ? { 'key_spend.day': before.day, 'key_spend.cents': before.cents }
      : { key_spend: { $exists: false } }),
  } as const
  return {
    in: 'accounts',
    update: asRead,
    change: { $set: { key_spend: { day, cents: spent + cents } } },
  }
}
