import type { spendOperations } from '#src/catalog/spend-pages.ts'
import { html, type Html } from '#src/core/html/html.ts'
import { money } from '#src/core/html/words.ts'
import { timeOf } from '#src/views/moments.ts'
import { badge, name, type Look } from '#src/views/parts.ts'
import type { AnswerOf } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import { lines, nextPage, numbers, part, type Figure } from '../console/parts.ts'
import type { Looking } from '../console/reader.ts'
import { choice } from '../fields.ts'
import { MarketPaths } from '../market/paths.ts'
import { onceField } from '../once.ts'
import type { Paths } from '../paths.ts'
import { moneyTabs } from './tabs.ts'

type Operations = typeof spendOperations
type Entries = AnswerOf<Operations['wallet']['transactions']>
type Entry = Entries['items'][number]
type Price = AnswerOf<Operations['payments']['prices']>['items'][number]

/** The kinds of entries that are added up. */
export type SumKind = 'earning' | 'charge'

/** What came in or went out by one kind of entries in a month. */
export interface MonthSum {
  cents: number
  /** Whether there were more than were added up. */
  more: boolean
}

/** What the page of the wallet shows besides what it holds. */
export interface Shown {
  /** The kind that alone is listed. */
  kind?: SumKind | undefined
  cursor?: string | undefined
  /** Where what was chosen is paid. */
  checkout?: AnswerOf<Operations['payments']['checkout']> | undefined
  problem?: string | undefined
}

interface Wallet extends Shown {
  /** Undefined where no one knows in which currency it is. */
  balance: AnswerOf<Operations['wallet']['balance']> | undefined
  entries: Entries
  earned: MonthSum
  paid: MonthSum
  /** Undefined where the provider cannot be asked. */
  topUps: readonly Price[] | undefined
}

const words: Readonly<Record<Entry['kind'], string>> = {
  top_up: 'Topped up',
  charge: 'Paid',
  earning: 'Earned',
  hold: 'Set aside',
  release: 'Available again',
  refund: 'Paid back',
  payout: 'Paid out',
  adjustment: 'Stays here',
}

const listed = { earning: 'What was earned', charge: 'What was paid' } as const

const statuses: Readonly<Partial<Record<Entry['status'], Look>>> = {
  pending: { word: 'Under way', tone: 'wait', icon: 'clock' },
  failed: { word: 'Failed', tone: 'bad', icon: 'cross' },
  reversed: { word: 'Taken back', tone: 'calm', icon: 'slash' },
  unknown: { word: 'Not known yet', tone: 'wait', icon: 'hand' },
}

/** The page of the wallet. */
export function walletView(looking: Looking, wallet: Wallet): ConsoleView {
  const { paths } = looking.terms
  const { balance, entries, kind, cursor, problem } = wallet
  const older = entries.next_cursor
  const query = { of: 'wallet', ...(kind && { kind }) }
  const isAll = kind === undefined && cursor === undefined
  const list = html`${lines(
    entries.items.map((entry) => entryOf(looking, entry)),
    kind === undefined ? 'Nothing was paid in or out so far.' : 'There is nothing of this kind.',
  )}
  ${nextPage(older === null ? undefined : paths.spend({ ...query, cursor: older }))}`
  const main = html`${moneyTabs(paths, 'wallet')}
    ${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      balance
        ? numbers(figuresOf(looking, wallet, balance.currency))
        : html`<p class="problem" role="alert">
            What the wallet holds cannot be told now, since the payment provider does not answer.
          </p>`
    }
    <div class="panes">
      ${part(
        kind === undefined ? 'Entries' : listed[kind],
        'entries',
        list,
        !isAll && html`<a href="${paths.spend({ of: 'wallet' })}">All entries</a>`,
      )}
      ${part('Top up', 'top-up', topUpOf(wallet))}
    </div>`
  return { title: 'Money', main }
}

function figuresOf(
  { terms: { paths } }: Looking,
  { balance, earned, paid }: Wallet,
  currency: string,
): Figure[] {
  const { available_cents = 0, pending_cents = 0, held_cents = 0 } = balance ?? {}
  const of = (cents: number) => money(cents, currency)
  const sum = (kind: SumKind, { cents, more }: MonthSum) =>
    html`<a href="${paths.spend({ of: 'wallet', kind })}">${of(cents)}${more && ' or more'}</a>`
  return [
    { name: 'In the wallet', value: of(available_cents) },
    ...(held_cents > 0 ? [{ name: 'Set aside for orders', value: of(held_cents) }] : []),
    ...(pending_cents > 0 ? [{ name: 'Under way', value: of(pending_cents) }] : []),
    { name: 'Earned this month', value: sum('earning', earned) },
    { name: 'Paid this month', value: sum('charge', paid) },
  ]
}

/** Where an entry leads: what was earned to its run, and what was bought, which ran at its seller, to its order. */
function targetOf(paths: Paths, { kind, run_id, reference }: Entry): string | undefined {
  if (kind === 'earning') return run_id === null ? undefined : paths.run(run_id)
  return reference?.startsWith('ord_') ? new MarketPaths(paths).order(reference) : undefined
}

/** A line of the wallet. */
function entryOf({ terms: { paths }, at }: Looking, entry: Entry) {
  const { kind, amount_cents, currency, status, description, created_at } = entry
  const sign = amount_cents < 0 ? '−' : '+'
  const look = statuses[status]
  return {
    href: targetOf(paths, entry),
    name: words[kind],
    about: html`${name(description)}<br />${timeOf(created_at, at)}, balance
      ${money(entry.balance_after_cents, currency)}`,
    end: html`${look && badge(look)}
      <strong>${sign}${money(Math.abs(amount_cents), currency)}</strong>`,
  }
}

function topUpOf({ topUps, checkout }: Wallet): Html {
  if (checkout) {
    return html`<div class="card">
      <p>The page on which it is paid is open. What was paid is here within moments.</p>
      <p class="actions"><a class="button main" href="${checkout.url}">Go on to pay</a></p>
    </div>`
  }
  if (!topUps) return lines([], 'The payment provider does not answer. Try it again later.')
  if (topUps.length === 0) return lines([], 'Nothing is sold here that fills a wallet.')
  return html`<form method="post" class="card" aria-labelledby="top-up">
    ${onceField()}
    ${choice({
      name: 'price_id',
      label: 'Amount',
      problems: {},
      options: html`${topUps.map(
        ({ id, name: called, amount_cents, currency }) =>
          html`<option value="${id}">${money(amount_cents, currency)}, ${called}</option>`,
      )}`,
    })}
    <button class="main" name="action" value="top_up">Go on to pay</button>
  </form>`
}
