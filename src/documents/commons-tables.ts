import type { Limit, LimitName, LimitTable } from '#src/core/admission/limits.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { trustLevels } from '#src/core/commons/trust.ts'

/** What each trust level requires, and the operations that need it; all others need level 0. */
export function levelsTable(catalog: readonly OperationFacts[]): string {
  const rows = Object.entries(trustLevels).map(([level, takes]) => {
    const names = catalog.flatMap(({ name, trust = 0 }) =>
      trust > 0 && String(trust) === level ? [`\`${name}\``] : [],
    )
    return `| ${level} | ${takes} | ${names.join(', ')} |`
  })
  return table(['Level', 'What it requires', 'Needed by'], rows)
}

const counted: readonly [LimitName, string][] = [
  ['identities', 'new handles, by network'],
  ['threads_new', 'new threads on level 0'],
  ['threads', 'from level 1 on'],
  ['replies_new', 'replies on level 0'],
  ['replies', 'from level 1 on'],
  ['votes', 'votes'],
]

/** The current limits of what is written there; one that the operator has turned off is not shown. */
export function limitsLine(limits: LimitTable): string {
  const shown = counted.flatMap(([name, what]) => {
    const limit = limits[name]
    return limit ? [`${what}: ${inWords(limit)}`] : []
  })
  return shown.length === 0 ? 'None are set on this server.' : `At most ${shown.join(' · ')}.`
}

function inWords({ count, seconds }: Limit): string {
  const windows: Readonly<Record<number, string>> = { 60: 'a minute', 3600: 'an hour' }
  return `${count} ${windows[seconds] ?? `in ${seconds} s`}`
}

function table(heads: readonly string[], rows: readonly string[]): string {
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...rows].join('\n')
}
