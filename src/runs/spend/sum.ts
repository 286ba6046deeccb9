import { secondsAfter } from '#src/core/time.ts'
import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import { timestamp } from '#src/core/time.ts'

/** How long sums are kept, after the day or the month that they are of. */
export const sumDays = 400

const daySeconds = 86_400

/** What a sum may be of: all of an account, or one agent, app or model of it. */
export const sumKinds = ['account', 'agent', 'app', 'model'] as const
export type SumKind = (typeof sumKinds)[number]

/** What the calls of models in a day or a month came to. */
export interface SpendSum {
  /** Made of account, period, kind and key. */
  id: string
  owner_id: string
  kind: SumKind
  /** The agent, the app, or `provider/model`; empty for the account. */
  key: string
  /** A day or a month in UTC: `2026-03-02`, `2026-03`. */
  period: string
  calls: number
  input_tokens: number
  cached_input_tokens: number
  output_tokens: number
  /** Billionths of a US dollar, of the calls with a known cost. */
  cost_nanos: number
  unpriced_calls: number
  keep_until: string
}

/** What the sums of some calls hold. */
export type Figures = Pick<
  SpendSum,
  | 'calls'
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'output_tokens'
  | 'cost_nanos'
  | 'unpriced_calls'
>

/** Whose calls they are. */
export interface Spender {
  owner_id: string
  char_id: string
  app_id: string | null
}

/** The id of a sum. */
export function sumId({
  owner_id,
  kind,
  key,
  period,
}: Pick<SpendSum, 'owner_id' | 'kind' | 'key' | 'period'>): string {
  return `${owner_id}/${period}/${kind}/${key}`
}

/** The day and the month of a time, in UTC. */
export function periodsAt(now: Date): { day: string; month: string } {
  const at = timestamp(now)
  return { day: at.slice(0, 10), month: at.slice(0, 7) }
}

/** The sums that a call counts in, always in the same order. */
export function sumsOf(
  { owner_id, char_id, app_id }: Spender,
  model: string,
  now: Date,
): Omit<SpendSum, keyof Figures>[] {
  const { day, month } = periodsAt(now)
  const keys = [
    ['account', ''],
    ['agent', char_id],
    ...(app_id === null ? [] : [['app', app_id] as const]),
    ['model', model],
  ] as const
  return [day, month].flatMap((period) =>
    keys.map(([kind, key]) => {
      const sum = { owner_id, kind, key, period }
      return { id: sumId(sum), ...sum, keep_until: keptUntil(period) }
    }),
  )
}

function keptUntil(period: string): string {
  // A month has at most 31 days.
  const days = period.length === 'YYYY-MM'.length ? sumDays + 31 : sumDays
  return secondsAfter(new Date(period), days * daySeconds)
}

/** Deletes sums that have been kept for long enough. */
export const purgeSums: Purge = ({ store }, now) =>
  purgeRows(store.spend_sums, { keep_until: { $lt: timestamp(now) } })
