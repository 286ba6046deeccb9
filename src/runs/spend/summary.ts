import * as z from 'zod'
import { timestamp } from '#src/core/time.ts'
import { centsOfNanos } from '#src/core/spend/prices.ts'
import { after, openCursor, sealCursor, type Key, type Order, type Page } from '#src/core/page.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import { added, figureNames } from './record.ts'
import { sumId, type Figures, type SpendSum, type SumKind } from './sum.ts'

const dayMs = 86_400_000

export const SpendFigures = z.object({
  calls: z.int(),
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  output_tokens: z.int(),
  cost_cents: z
    .number()
    .nullable()
    .describe('US cents, of calls with a known cost; null if there is none.'),
  unpriced_calls: z.int().describe('Calls of unknown cost, which is not in cost_cents.'),
})

export const SpendRow = SpendFigures.extend({
  day: z.string().optional(),
  char_id: z.string().optional(),
  app_id: z.string().optional(),
  model: z.string().optional(),
}).meta({ id: 'SpendRow' })
/** What models cost in a day, or for one agent, app or model. */
export type SpendRow = z.infer<typeof SpendRow>

/** By what sums are told apart. */
export const summaryKinds = ['day', 'agent', 'app', 'model'] as const
export type SummaryKind = (typeof summaryKinds)[number]

/** Days in UTC, both included. */
export interface Days {
  from: string
  to: string
}

/** Each day of them. */
export function daysIn({ from, to }: Days): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(dayAt(at))
  return days
}

function dayAt(time: number): string {
  return timestamp(new Date(time)).slice(0, 10)
}

/** The fewest days and whole months that are the same; what is to come holds nothing yet. */
export function periodsIn(days: Days, today: string): string[] {
  const periods: string[] = []
  for (let day = days.from; day <= days.to;) {
    const month = day.slice(0, 7)
    const last = lastOf(month)
    const isWhole = day.endsWith('-01') && (last <= days.to || days.to >= today)
    periods.push(isWhole ? month : day)
    day = dayAt(Date.parse(isWhole ? last : day) + dayMs)
  }
  return periods
}

function lastOf(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return dayAt(Date.UTC(year ?? 0, number ?? 0, 0))
}

/** The figures as they are shown. */
export function shownFigures({ cost_nanos, ...rest }: Figures): z.infer<typeof SpendFigures> {
  const isUnknown = rest.unpriced_calls > 0 && rest.unpriced_calls === rest.calls
  return { ...rest, cost_cents: isUnknown ? null : centsOfNanos(cost_nanos) }
}

/** What an account spent in these periods. */
export async function totalOf(
  { spend_sums }: Pick<Store, 'spend_sums'>,
  owner_id: string,
  periods: readonly string[],
): Promise<Figures> {
  const ids = periods.map((period) => sumId({ owner_id, kind: 'account', key: '', period }))
  const rows = await spend_sums.pick(figureNames, { id: { $in: ids } })
  return added(rows.map(figuresIn))
}

function figuresIn(row: Picked): Figures {
  // Each was stored as a number.
  return Object.fromEntries(figureNames.map((name, i) => [name, Number(row[i])])) as never
}

const members = { agent: 'char_id', app: 'app_id', model: 'model' } as const

/** One page of the days of an account with calls, oldest first. */
export function byDay(
  store: Pick<Store, 'spend_sums'>,
  owner_id: string,
  days: readonly string[],
  page: Page,
): Promise<SpendPage> {
  const among = { owner_id, kind: 'account', key: '', period: { $in: days } } as const
  return listed(store, among, { ...page, by: 'period', direction: 1, member: 'day' })
}

/** One page of its agents, apps or models in one period, the dearest first. */
export function byCost(
  store: Pick<Store, 'spend_sums'>,
  owner_id: string,
  kind: Exclude<SumKind, 'account'>,
  period: string,
  page: Page,
): Promise<SpendPage> {
  const among = { owner_id, kind, period } as const
  return listed(store, among, { ...page, by: 'cost_nanos', direction: -1, member: members[kind] })
}

/** One page of rows, and the cursor of the next. */
interface SpendPage {
  items: SpendRow[]
  next_cursor: string | null
}

interface Listing extends Page {
  by: 'period' | 'cost_nanos'
  direction: 1 | -1
  member: 'day' | (typeof members)[keyof typeof members]
}

async function listed(
  { spend_sums }: Pick<Store, 'spend_sums'>,
  among: Filter<SpendSum>,
  { by, direction, member, limit, cursor }: Listing,
): Promise<SpendPage> {
  const order: Order = { list: `spend ${JSON.stringify(among)}`, by, direction }
  const filter = cursor ? after(among, order, openCursor(order, cursor)) : among
  const sums = await spend_sums.find(filter, { sort: { [by]: direction }, limit: limit + 1 })
  const shown = sums.slice(0, limit)
  const last = shown.at(-1)
  const items = shown.map((sum) => rowOf(member, member === 'day' ? sum.period : sum.key, [sum]))
  const next: Key | undefined = last && sums.length > limit ? [last[by], last.id] : undefined
  return { items, next_cursor: next ? sealCursor(order, next) : null }
}

/** One page of its agents, apps or models over several periods, in the order of their names. */
export async function byName(
  { spend_sums }: Pick<Store, 'spend_sums'>,
  owner_id: string,
  kind: Exclude<SumKind, 'account'>,
  periods: readonly string[],
  { limit, cursor }: Page,
): Promise<SpendPage> {
  const list = `spend ${owner_id} ${kind} ${periods.join()}`
  const order: Order = { list, by: 'key', direction: 1 }
  const beyond = cursor ? { key: { $gt: openCursor(order, cursor)[0] } } : {}
  const among = { owner_id, kind, period: { $in: periods }, ...beyond }
  const rows = await spend_sums.pick(['key', ...figureNames], among, {
    sort: { key: 1, period: 1 },
    // Each of them has at most one row for each period.
    limit: (limit + 1) * periods.length,
  })
  const sums = Map.groupBy(rows, ([key]) => String(key))
  const items = [...sums].slice(0, limit).map(([key, some]) =>
    rowOf(
      members[kind],
      key,
      some.map(([, ...row]) => figuresIn(row)),
    ),
  )
  const last = [...sums.keys()][limit - 1]
  const next = last !== undefined && sums.size > limit ? sealCursor(order, [last, last]) : null
  return { items, next_cursor: next }
}

function rowOf(member: Listing['member'], key: string, sums: readonly Figures[]): SpendRow {
  return { [member]: key, ...shownFigures(added(sums)) }
}
