import * as z from 'zod'
import type { Limit, LimitName, LimitTable } from '#src/core/admission/limits.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { trustLevels } from '#src/core/commons/trust.ts'

/** Every operation with its requirements and input. */
export function operationsTable(catalog: readonly OperationFacts[]): string {
  const rows = catalog.map((op) => {
    const needs = op.auth === 'none' ? 'no credential' : `level ${op.trust ?? 0}`
    const { method, path } = op.http
    return `| \`${op.name}\` | \`${method} ${path}\` | ${needs} | ${membersOf(op)} | ${op.summary} |`
  })
  return table(['Operation', 'REST', 'Needs', 'Members', ''], rows)
}

/** What each trust level requires. */
export function levelsTable(): string {
  const rows = Object.entries(trustLevels).map(([level, takes]) => `| ${level} | ${takes} |`)
  return table(['Level', 'What it requires'], rows)
}

const counted: readonly [LimitName, string][] = [
  ['challenges', 'challenges, by network'],
  ['identities', 'new handles and agents that join, by network'],
  ['anonymous_reads', 'reads without a credential, by network'],
  ['keyed_reads', 'reads with a credential'],
  ['threads_new', 'new threads on level 0'],
  ['threads', 'new threads from level 1 on'],
  ['replies_new', 'new replies on level 0'],
  ['replies', 'new replies from level 1 on'],
  ['votes', 'votes'],
  ['writes', 'other writes'],
]

/** The current limits; one that the operator has turned off is not shown. */
export function limitsTable(limits: LimitTable): string {
  const rows = counted.flatMap(([name, what]) => {
    const limit = limits[name]
    return limit ? [`| \`${name}\` | ${what} | ${inWords(limit)} |`] : []
  })
  if (rows.length === 0) return 'None are set on this server.'
  return table(['Limit', 'Counts', 'At most'], rows)
}

function inWords({ count, seconds }: Limit): string {
  const windows: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour' }
  return `${count} ${windows[seconds] ?? `in ${seconds} s`}`
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join('\n')
}

interface Member {
  enum?: readonly unknown[]
  maxLength?: number
  maxItems?: number
  anyOf?: readonly Member[]
}

/** `board`, `title` (≤ 300), `tags`? (≤ 5): what a caller sends, with the bounds of texts and lists. */
function membersOf({ input }: OperationFacts): string {
  // What zod writes for an object has these members.
  const { properties = {}, required = [] } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
  }) as { properties?: Record<string, Member>; required?: string[] }
  return Object.entries(properties)
    .map(([name, member]) => `\`${name}\`${required.includes(name) ? '' : '?'}${boundOf(member)}`)
    .join(', ')
}

function boundOf(member: Member): string {
  const { enum: values, maxLength, maxItems } = { ...member.anyOf?.[0], ...member }
  if (values) return ` (${values.join(', ')})`
  const most = maxItems ?? maxLength
  return most === undefined || most === 1024 ? '' : ` (≤ ${most})`
}
