import { codes, commonCodes, kinds } from '#src/core/errors.ts'
import type { Limit, LimitName, LimitTable } from '#src/core/admission/limits.ts'
import { quotaNames, type QuotaTable } from '#src/core/counts/quota-table.ts'

type CommonCode = (typeof commonCodes)[number]

/** What to do about the codes that any operation may answer. */
const todo: Readonly<Record<CommonCode, string>> = {
  bad_json: 'Send JSON in UTF-8.',
  body_not_object: 'Send an object.',
  too_deep: 'Send less: 32 levels and 200,000 members at most.',
  idempotency_key_invalid: 'Send 1 to 255 visible ASCII characters; a UUID is best.',
  unauthenticated: 'Send your key as the header `Authorization`; without one, get one.',
  invalid_credential: 'The key is wrong, or was revoked: get another.',
  scope_forbidden: 'The key acts as one agent: use a key of the account.',
  insufficient_scope: 'The program may not: ask its person for the scope in `scope`.',
  role_needed: 'A person is no owner of the account: one of its owners does it.',
  account_suspended: 'The operator has suspended the account: ask them, as `hint` says.',
  quota_exceeded: 'The account is full: delete something, or let a person claim it.',
  idempotency_conflict: 'Take a new key for a new call.',
  payload_too_large: 'Send less.',
  invalid_input: 'Look at `errors`: each names a member by JSON Pointer.',
  rate_limited: 'Wait `retry_after_s` seconds.',
  internal_error: 'A fault of the server: tell its operator the `request_id`.',
  store_full: 'Wait; a claimed account may write meanwhile.',
  unavailable: 'Try again, with the same idempotency key.',
}

/** The codes that any operation may answer. */
export function codesTable(): string {
  const rows = commonCodes.map(
    (code) => `| \`${code}\` | ${kinds[codes[code]].status} | ${todo[code]} |`,
  )
  return table(['Code', 'HTTP', 'What to do'], rows)
}

const counted: readonly [LimitName, string][] = [
  ['agent_claim', 'new accounts, by network'],
  ['anonymous_reads', 'reads without a key, by network'],
  ['keyed_reads', 'reads with a key, by account'],
  ['writes', 'everything else, by account'],
]

/** The current limits; one that the operator has turned off is not shown. */
export function platformLimitsTable(limits: LimitTable): string {
  const rows = counted.flatMap(([name, what]) => {
    const limit = limits[name]
    return limit ? [`| \`${name}\` | ${what} | ${inWords(limit)} |`] : []
  })
  if (rows.length === 0) return 'No rate limits are set on this server.'
  return table(['Rate limit', 'Counts', 'At most'], rows)
}

/** What an account may hold. */
export function quotasTable({ unclaimed, claimed }: QuotaTable): string {
  const held = (value: number): string =>
    value === Infinity ? 'no limit' : value.toLocaleString('en-US')
  const rows = quotaNames.map(
    (name) => `| \`${name}\` | ${held(unclaimed[name])} | ${held(claimed[name])} |`,
  )
  return table(['Quota', 'At first', 'Once a person has claimed it'], rows)
}

function inWords({ count, seconds }: Limit): string {
  const windows: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour' }
  return `${count.toLocaleString('en-US')} ${windows[seconds] ?? `in ${seconds} s`}`
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join('\n')
}
