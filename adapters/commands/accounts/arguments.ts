import type { QuotaChange } from '#src/accounts/operated/change.ts'
import { quotaNames } from '#src/core/counts/quota-table.ts'
import { changedQuota } from '#adapters/config/limits.ts'
import { Wrong } from '#adapters/config/values.ts'
import { Misused, noneOf, numberOf, parsed } from '../arguments.ts'
import { calledAs } from '../called.ts'

const limits = { standard: 100, most: 1000 }
const commands = ['list', 'show', 'suspend', 'resume', 'plan', 'quota', 'close', 'help'] as const
type Command = (typeof commands)[number]
const flag = { type: 'boolean' } as const
const options = {
  json: flag,
  yes: flag,
  'waive-balance': flag,
  suspended: flag,
  reset: flag,
  limit: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

export const accountsUsage = `${calledAs('accounts')} list [--suspended] [--limit 100]
${calledAs('accounts')} show <account>
${calledAs('accounts')} suspend <account>
${calledAs('accounts')} resume <account>
${calledAs('accounts')} plan <account> <plan>
${calledAs('accounts')} quota <account> <name=value …>
${calledAs('accounts')} quota <account> --reset
${calledAs('accounts')} close <account> --yes [--waive-balance]

  --json           prints one line of JSON
  --yes            closes it without a question: what it has is deleted, and cannot be brought back
  --waive-balance  gives the money in its wallet up
  --reset          takes all quotas of its own from it, so that those of its plan hold

show has its plan, and what it uses of each quota. Every credential of a suspended account is refused (403
account_suspended), and nothing of it fires. Its runs wait, and go on once it is resumed. A plan is free, or one that
ABODE_QUOTAS names (team.agents=5000); quota gives one account figures that count before those of its plan: a number,
off for no limit, or plan for that of its plan again. An account is named by its id, its name, or the e-mail address of
the person who holds it. The store is found by the settings of the server (DATA_DIR, or MONGODB_URI with
ABODE_MASTER_KEY), which may run meanwhile.
`

/** What the words ask for. */
export interface AccountsAsked {
  command: Command
  name: string
  plan: string
  quotas: QuotaChange
  isJson: boolean
  isSure: boolean
  isGivenUp: boolean
  isSuspended: boolean
  limit: number
}

/** @throws Misused */
export function accountsAsked(words: readonly string[]): AccountsAsked {
  const { values, positionals } = parsed(words, options)
  const [word = 'list', name = '', ...more] = positionals
  const command = values.help ? 'help' : commands.find((known) => known === word)
  if (!command) throw new Misused(noneOf('command', word, commands))
  const takesNone = command === 'list' || command === 'help'
  const takesMore = command === 'plan' || command === 'quota'
  if (!values.help && ((!takesMore && more.length > 0) || takesNone !== (name === ''))) {
    throw new Misused(takesNone ? `${command} takes nothing.` : `${command} takes one account.`)
  }
  if (command === 'plan' && more.length !== 1) throw new Misused('Say which plan: one word.')
  if (values.reset === true && command !== 'quota') throw new Misused('--reset is for quota.')
  return {
    command,
    name,
    plan: more[0] ?? '',
    quotas: command === 'quota' ? quotasOf(more, values.reset === true) : {},
    isJson: values.json === true,
    isSure: values.yes === true,
    isGivenUp: values['waive-balance'] === true,
    isSuspended: values.suspended === true,
    limit: numberOf('--limit', values.limit, limits),
  }
}

function quotasOf(words: readonly string[], isReset: boolean): QuotaChange {
  if (isReset !== (words.length === 0)) {
    throw new Misused('Say either name=value for each quota, or --reset.')
  }
  if (isReset) return Object.fromEntries(quotaNames.map((name) => [name, 'plan']))
  const pairs = words.map(quotaOf)
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Misused(`${twice} is named twice.`)
  return Object.fromEntries(pairs)
}

function quotaOf(word: string): [keyof QuotaChange, number | null | 'plan'] {
  const toPlan = word.endsWith('=plan')
  try {
    const [name, value] = changedQuota(toPlan ? word.replace(/=plan$/, '=off') : word)
    if (toPlan) return [name, 'plan']
    if (name === 'concurrent_runs' && value === 0) {
      throw new Misused('concurrent_runs is 1 at least: suspend the account, if nothing is to run.')
    }
    return [name, value === Infinity ? null : value]
  } catch (cause) {
    if (!(cause instanceof Wrong)) throw cause
    throw new Misused(`A quota ${cause.message}.`, { cause })
  }
}
