import { runStatuses, type StoredRun } from '#src/runs/run.ts'
import { Misused, noneOf, numberOf, parsed } from '../arguments.ts'
import { calledAs } from '../called.ts'

const commands = ['list', 'stuck', 'retry', 'drain', 'help'] as const
const limits = { standard: 100, most: 10_000 }
const waitAtMost = 86_400

export const runsUsage = `${calledAs('runs')} list [--account A] [--status S] [--reason R] [--limit 100]
${calledAs('runs')} stuck [--longer-than 1h] [--account A] [--reason R] [--limit 100]
${calledAs('runs')} retry <run>
${calledAs('runs')} retry --account A [--reason R] [--limit 100] [--dry-run]
${calledAs('runs')} drain [--timeout 10m | --no-wait]
${calledAs('runs')} drain --off

  --json         prints one line of JSON
  --account      an account by its id, its name, or the e-mail address of the person who holds it
  --reason       of list and retry: why a run ended, its reason or the code of its error; of stuck: what it waits for
  --longer-than  and --timeout: a number with s, m, h or d

list shows the newest runs. stuck shows what waits or is worked on for longer than that, and for what: those first that
do so for longest. retry runs again what has failed or timed out, as runs.retry does, within the quotas of its account:
one run, or those of an account that were not retried before, the oldest first. drain makes every process of the store
claim no more runs, for itself and for agents, and waits until those that are under work have ended; it ends with 1 where
some have not within the time, and none is claimed then either, until drain --off. The store is found by the settings of
the server (DATA_DIR, or MONGODB_URI with ABODE_MASTER_KEY), which may run meanwhile.
`

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = {
  account: text,
  status: text,
  reason: text,
  limit: text,
  'longer-than': text,
  timeout: text,
  'no-wait': flag,
  'dry-run': flag,
  off: flag,
  json: flag,
  help: { type: 'boolean', short: 'h' },
} as const
type Option = keyof typeof options

/** Which options each takes, besides those that all take. */
const taken: Readonly<Record<(typeof commands)[number], readonly Option[]>> = {
  list: ['account', 'status', 'reason', 'limit'],
  stuck: ['account', 'reason', 'limit', 'longer-than'],
  retry: ['account', 'reason', 'limit', 'dry-run'],
  drain: ['timeout', 'no-wait', 'off'],
  help: [],
}

interface Chosen {
  account: string | undefined
  reason: string | undefined
  limit: number
  isJson: boolean
}

/** What the words ask for. */
export type RunsAsked =
  | { command: 'help' }
  | ({ command: 'list'; status: StoredRun['status'] | undefined } & Chosen)
  | ({ command: 'stuck'; longerThan: number } & Chosen)
  | ({ command: 'retry'; run: string | undefined; isDry: boolean } & Chosen)
  | { command: 'drain'; isOff: boolean; waitSeconds: number; isJson: boolean }

/** @throws Misused */
export function runsAsked(words: readonly string[]): RunsAsked {
  const { values, positionals } = parsed(words, options)
  const [word = 'list', run, ...more] = positionals
  const command = values.help ? 'help' : commands.find((known) => known === word)
  if (!command) throw new Misused(noneOf('command', word, commands))
  if (command === 'help') return { command }
  const mayHave: readonly string[] = [...taken[command], 'json']
  const strange = Object.keys(values).find((name) => !mayHave.includes(name))
  if (strange !== undefined) throw new Misused(`${command} takes no --${strange}.`)
  if (more.length > 0 || (run !== undefined && command !== 'retry')) {
    throw new Misused(command === 'retry' ? 'One run at a time.' : `${command} takes no words.`)
  }
  const isJson = values.json === true
  if (command === 'drain') {
    const isOff = values.off === true
    const isApart = values['no-wait'] === true
    if ((isOff || isApart) && (isOff === isApart || values.timeout !== undefined)) {
      throw new Misused('Say one of --off, --no-wait and --timeout.')
    }
    const waitSeconds = isApart ? 0 : secondsOf('--timeout', values.timeout ?? '10m')
    return { command, isOff, waitSeconds, isJson }
  }
  const { account, reason } = values
  const chosen = { account, reason, limit: numberOf('--limit', values.limit, limits), isJson }
  if (command === 'list') return { command, status: statusOf(values.status), ...chosen }
  if (command === 'stuck') {
    return {
      command,
      longerThan: secondsOf('--longer-than', values['longer-than'] ?? '1h'),
      ...chosen,
    }
  }
  const isDry = values['dry-run'] === true
  const names = run !== undefined
  const chooses = account !== undefined
  if (names === chooses || (names && Object.keys(values).some((name) => name !== 'json'))) {
    throw new Misused('Say either which run, or of which account: --account A.')
  }
  return { command, run, isDry, ...chosen }
}

function statusOf(text: string | undefined): StoredRun['status'] | undefined {
  if (text === undefined) return undefined
  const status = runStatuses.find((known) => known === text)
  if (status) return status
  throw new Misused(`--status is one of ${runStatuses.join(', ')}.`)
}

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

function secondsOf(option: string, text: string): number {
  const [, count = '', unit = ''] = /^([1-9]\d{0,5})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * (units[unit] ?? 0)
  const most = option === '--timeout' ? waitAtMost : 365 * waitAtMost
  if (seconds >= 1 && seconds <= most) return seconds
  throw new Misused(
    `${option} is a whole number with s, m, h or d, and at most ${most / 86_400} ${most === waitAtMost ? 'day' : 'days'}.`,
  )
}
