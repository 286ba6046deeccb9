import { spendOperations } from '#src/catalog/spend-pages.ts'
import { periodsAt } from '#src/runs/spend/sum.ts'
import { answered, told } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import { sayingOf } from '../fields.ts'
import { onceIn } from '../once.ts'
import { walletView, type MonthSum, type Shown, type SumKind } from './wallet-views.ts'

const { wallet, payments } = spendOperations

const entriesShown = 20
const addedUp = 100

/** The kind of entries that a query names. */
export function sumKindIn(query: URLSearchParams): SumKind | undefined {
  const kind = query.get('kind')
  return kind === 'earning' || kind === 'charge' ? kind : undefined
}

/** The page of the wallet. */
export async function walletShown(looking: Looking, shown: Shown): Promise<ConsoleView> {
  const { terms, as } = looking
  const { kind, cursor } = shown
  const narrowed = { ...(kind && { kind }), ...(cursor !== undefined && { cursor }) }
  const [balance, entries, earned, paid, prices] = await Promise.all([
    told(terms, wallet.balance, {}, as),
    answered(terms, wallet.transactions, { ...narrowed, limit: entriesShown }, as),
    monthOf(looking, 'earning'),
    monthOf(looking, 'charge'),
    told(terms, payments.prices, { limit: 20 }, as),
  ])
  return walletView(looking, {
    ...shown,
    // The provider may be away: what the wallet holds is known without it, what it sells is not.
    balance: balance.refusal ? undefined : balance.value,
    entries,
    earned,
    paid,
    topUps: prices.refusal
      ? undefined
      : prices.value.items.filter(({ kind: sold }) => sold === 'one_time'),
  })
}

/** Opens a page of the provider on which money is paid in, and leads there. */
export async function toppedUp(looking: Looking, form: URLSearchParams): Promise<ConsoleView> {
  const { terms, as } = looking
  const price_id = form.get('price_id') ?? ''
  const asked = { ...as, idempotencyKey: onceIn(form) }
  const answer = await told(terms, payments.checkout, { price_id }, asked)
  if (answer.refusal) return walletShown(looking, { problem: sayingOf(answer.refusal) })
  return walletShown(looking, { checkout: answer.value })
}

/** The newest entries of a kind are added up, as far as one page of them goes back. */
async function monthOf({ terms, as }: Looking, kind: SumKind): Promise<MonthSum> {
  const from = `${periodsAt(terms.clock.now()).month}-01`
  const page = { kind, limit: addedUp } as const
  const { items, next_cursor } = await answered(terms, wallet.transactions, page, as)
  const late = items.filter(({ created_at }) => created_at >= from)
  const counted = late.filter(({ status }) => status === 'posted')
  return {
    cents: counted.reduce((sum, { amount_cents }) => sum + Math.abs(amount_cents), 0),
    more: next_cursor !== null && late.length === items.length,
  }
}
