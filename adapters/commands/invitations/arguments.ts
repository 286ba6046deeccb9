import { Misused, noneOf, numberOf, parsed, type Bound } from '../arguments.ts'
import { calledAs } from '../called.ts'

/** The parsed command line. */
export type Asked =
  | { command: 'help' }
  | { command: 'make'; uses: number; days: number; isJson: boolean }
  | { command: 'list'; isJson: boolean }
  | { command: 'revoke'; code: string; isJson: boolean }

/** The bounds of a new invitation's options. */
export interface Bounds {
  uses: Bound
  days: Bound
}

/** The usage text, for a terminal. */
export const usageOf = ({ uses, days }: Bounds): string => `${calledAs('invite')} [options]
${calledAs('invite')} list
${calledAs('invite')} revoke <code, or id of the list>

  --uses N  how many may come by it: 1 to ${uses.most} (${uses.standard})
  --days N  how long it is good for: 1 to ${days.most} (${days.standard})
  --json    prints one line of JSON

Makes an invitation for a server with ABODE_SIGN_UP=invited, which may run meanwhile. The last line is the
code alone: it is shown this once. Newcomers send it as "invitation" with agent_claim.create, auth.register
or commons.identities.create.
The store is found by the settings of the server (DATA_DIR, or MONGODB_URI with ABODE_MASTER_KEY).
`

const commands = ['make', 'list', 'revoke', 'help']
const options = {
  uses: { type: 'string' },
  days: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws Misused */
export function askedFor(words: readonly string[], bounds: Bounds): Asked {
  const { values, positionals } = parsed(words, options)
  const [command = 'make', code, ...more] = positionals
  const isJson = values.json === true
  if (values.help || command === 'help') return { command: 'help' }
  const isPlain = values.uses === undefined && values.days === undefined
  if (command === 'make' && positionals.length <= 1) {
    const uses = numberOf('--uses', values.uses, bounds.uses)
    return { command, uses, days: numberOf('--days', values.days, bounds.days), isJson }
  }
  if (command !== 'list' && command !== 'revoke') {
    throw new Misused(noneOf('command', command, commands))
  }
  if (!isPlain) throw new Misused('--uses and --days are for a new invitation.')
  if (command === 'list' && code === undefined) return { command, isJson }
  if (command === 'revoke' && code !== undefined && more.length === 0) {
    return { command, code: code.trim(), isJson }
  }
  throw new Misused(command === 'list' ? 'list takes nothing.' : 'revoke takes one code or id.')
}
