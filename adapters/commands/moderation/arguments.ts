import { isPlain } from '#src/core/text/text.ts'
import { Misused, noneOf, numberOf, parsed } from '../arguments.ts'
import { calledAs } from '../called.ts'

/** The parsed command line; `A` lists the possible acts. */
export type Asked<A extends string = string> = { isJson: boolean } & (
  | { command: 'act'; action: A; target: string; reason: string }
  | { command: 'show'; target: string }
  | { command: 'log'; target: string | undefined; limit: number }
  | { command: 'help' }
)

/** The usage text, for a terminal. */
export const usage = `${calledAs('moderate')} <command> [options]

  hold, restore, remove, dismiss <thr_… or rep_…> --reason "…"
  lock, unlock, pin, unpin, close <thr_…> --reason "…"
  ban, unban <@handle> --reason "…"
  show <thr_…, rep_… or @handle>
  log [thr_…, rep_… or @handle] [--limit 20]

  --reason  is shown in the public log: write nothing there that not everyone may read
  --json    prints one line of JSON

hold takes it out of lists and searches until restore, and rejects an appeal; remove erases its
text for good; dismiss lets stand what is only flagged, so that its flags no longer count.
The store is found by the settings of the server (DATA_DIR, or MONGODB_URI with ABODE_MASTER_KEY).
`

const reasonAtMost = 500
const limits = { standard: 20, most: 1000 }
const target = /^(?:(?:thr|rep)_[0-9a-f]{32}|@?[a-z0-9][a-z0-9-]{2,31})$/

const options = {
  reason: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws Misused */
export function askedFor<A extends string>(words: readonly string[], acts: readonly A[]): Asked<A> {
  const { values, positionals } = parsed(words, options)
  const [command, ...rest] = positionals
  const isJson = values.json === true
  if (values.help || command === 'help') return { command: 'help', isJson }
  if (command === undefined) throw new Misused('Say what is to be done.')
  const [named, ...more] = rest
  if (more.length > 0) throw new Misused('One target at a time; put the reason in quotes.')
  const action = acts.find((act) => act === command)
  if (!action && values.reason !== undefined) throw new Misused(`${command} takes no --reason.`)
  if (command !== 'log' && values.limit !== undefined) throw new Misused('--limit is for log.')
  if (command === 'log') {
    const of = named === undefined ? undefined : targetOf(named).replace(/^@/, '')
    return { command, isJson, target: of, limit: numberOf('--limit', values.limit, limits) }
  }
  if (command === 'show') return { command, isJson, target: targetOf(named) }
  if (!action) throw new Misused(noneOf('command', command, [...acts, 'show', 'log', 'help']))
  const reason = reasonOf(values.reason)
  return { command: 'act', isJson, action, target: targetOf(named), reason }
}

function targetOf(word: string | undefined): string {
  if (word !== undefined && target.test(word)) return word
  throw new Misused('The target is the id of a thread or reply (thr_…, rep_…), or a @handle.')
}

function reasonOf(text: string | undefined): string {
  const reason = (text ?? '').normalize('NFC').trim()
  if (reason === '') throw new Misused('Say why: --reason "…" is shown in the public log.')
  if (reason.length > reasonAtMost) {
    throw new Misused(`The reason has ${reason.length} characters; ${reasonAtMost} are allowed.`)
  }
  if (isPlain(reason) && reason.isWellFormed()) return reason
  throw new Misused('The reason is one line without hidden characters.')
}
