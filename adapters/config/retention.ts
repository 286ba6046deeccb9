import type { Bounds, Retention } from '#src/core/counts/retention.ts'
import { distinct, listOf, pairOf, wholeNumber, wrong, type Read } from './values.ts'

const countAtMost = 1_000_000
const daysAtMost = 36_500

/** How long things are kept unless the operator sets it. */
export const defaultRetention: Retention = {
  runs_unclaimed: { count: 1000, days: 7 },
  runs_claimed: { count: 10_000, days: 90 },
  events: 30,
  messages: 365,
  revisions: 50,
  orders: 365,
  idle_accounts: 90,
  closed_accounts: 90,
  revoked_keys: 90,
  claims: 90,
}

const endless: Retention = {
  runs_unclaimed: { count: Infinity, days: Infinity },
  runs_claimed: { count: Infinity, days: Infinity },
  events: Infinity,
  messages: Infinity,
  revisions: Infinity,
  orders: Infinity,
  idle_accounts: Infinity,
  closed_accounts: Infinity,
  revoked_keys: Infinity,
  claims: Infinity,
}

const countedNames = ['runs_unclaimed', 'runs_claimed'] as const
const timedNames = [
  'events',
  'messages',
  'revisions',
  'orders',
  'idle_accounts',
  'closed_accounts',
  'revoked_keys',
  'claims',
] as const

const days: Read<number> = (text) => (text === 'off' ? Infinity : wholeNumber(1, daysAtMost)(text))
const count: Read<number> = (text) =>
  text === 'off' ? Infinity : wholeNumber(1, countAtMost)(text)

const bounds: Read<Bounds> = (text) => {
  if (text === 'off') return endless.runs_claimed
  const [runs, of, ...rest] = text.split('/')
  if (runs === undefined || of === undefined || rest.length > 0) {
    return wrong('must be runs/days or off', text)
  }
  return { count: count(runs), days: days(of) }
}

const rule = 'must be default or off, or name=days and runs_…=runs/days pairs between commas'

const either: Read<[keyof Retention, Bounds | number]> = (text) =>
  countedNames.some((name) => text.startsWith(`${name}=`))
    ? pairOf(countedNames, bounds, rule)(text)
    : pairOf([...timedNames, ...countedNames], days, rule)(text)

const changes = distinct(listOf(either), ([name]) => name)

/** `default` or `off`, or pairs that change the default. */
export const retention: Read<Retention> = (text) => {
  if (text === 'off') return endless
  const changed = text === 'default' ? {} : Object.fromEntries(changes(text))
  return { ...defaultRetention, ...changed }
}
