import type { AccountRole } from '#src/core/authorization/account-roles.ts'
import type { Ports } from '#src/core/context.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Kind } from './kinds.ts'
import { namedAtMost, type News, type NewsItem } from './news.ts'
import { quietUntil } from './quiet.ts'
import {
  settingsId,
  settingsOf,
  wayNames,
  type NotificationSettings,
  type Way,
} from './settings.ts'

/** What a person is to be told of an account next, in one way: one a person, account and way, however much it is. */
export interface Telling {
  id: string
  account_id: string
  person_id: string
  /** By mail where it is absent. */
  way?: Way
  /** How often each kind happened. */
  counts: Partial<Record<Kind, number>>
  /** The first of it. */
  items: NewsItem[]
  opened_at: string
  due_at: string
  /** Another with each change. */
  version: string
}

/**
 * Puts what has happened to what each person is to be told of: the first opens a window, and all until its end is told at
 * once. Of several processes that do the same, one commits.
 * @param found the news to take, as much of each account as it gets in a turn
 * @returns how much was taken
 */
export async function gatherNews(
  { store, clock, mailer }: Needed,
  found: readonly News[],
): Promise<number> {
  const ways = wayNames.filter((way) => way !== 'mail' || mailer !== null)
  const ofAccounts = Map.groupBy(found, ({ owner_id }) => owner_id)
  let taken = 0
  for (const [accountId, news] of ofAccounts) {
    const taking = news.flatMap(({ id, at }): Write[] => [
      // Fails where another process was first, as a deletion would not.
      { in: 'news', update: { id }, change: { $set: { at } } },
      { in: 'news', delete: { id } },
    ])
    try {
      const told = await toldOf(store, { accountId, news, ways }, clock.now())
      await store.commit([...taking, ...told])
      taken += news.length
    } catch (cause) {
      if (!isOvertaken(cause)) throw cause
    }
  }
  return taken
}

type Needed = Pick<Ports, 'store' | 'clock' | 'mailer'>

async function toldOf(
  store: Store,
  { accountId, news, ways }: { accountId: string; news: readonly News[]; ways: readonly Way[] },
  now: Date,
): Promise<Write[]> {
  const roles = await rolesIn(store, accountId)
  const ids = [...roles.keys()].map((person) => settingsId(accountId, person))
  if (ids.length === 0) return []
  const [chosen, browsers, open] = await Promise.all([
    store.notification_settings.find({ id: { $in: ids } }),
    personsWithBrowsers(store, [...roles.keys()]),
    store.tellings.find({
      id: { $in: ids.flatMap((id) => ways.map((way) => tellingId(id, way))) },
    }),
  ])
  const settings = new Map(chosen.map((one) => [one.id, one]))
  const tellings = new Map(open.map((one) => [one.id, one]))
  return [...roles].flatMap(([person_id, role]): Write[] => {
    const id = settingsId(accountId, person_id)
    const wanted = settingsOf(settings.get(id), role)
    const hasBrowser = browsers.has(person_id)
    return ways.flatMap((way): Write[] => {
      if (way === 'push' && !hasBrowser) return []
      const its = news.filter(({ kind }) => isWanted(wanted, kind, way))
      if (its.length === 0) return []
      const known = tellings.get(tellingId(id, way))
      const empty = { counts: {}, items: [], opened_at: timestamp(now) }
      const of = { id: tellingId(id, way), account_id: accountId, person_id, way }
      const base = known ? reopened(known, wanted, now) : { ...empty, ...of }
      const replace = added(base, its, wanted)
      return known
        ? [{ in: 'tellings', update: { id: known.id, version: known.version }, replace }]
        : [{ in: 'tellings', insert: replace }]
    })
  })
}

/** Whether a person wants to be told of something in a way, and has not been cut off from it. */
export function isWanted(wanted: NotificationSettings, kind: Kind, way: Way): boolean {
  return wanted.kinds[kind][way] && (way !== 'webhook' || wanted.webhook?.state === 'active')
}

/** Those of some persons who have subscribed a browser. */
async function personsWithBrowsers(
  { push_subscriptions }: Pick<Store, 'push_subscriptions'>,
  persons: readonly string[],
): Promise<Set<unknown>> {
  const rows = await push_subscriptions.pick(['person_id'], { person_id: { $in: persons } })
  return new Set(rows.map(([person]) => person))
}

/** What is told by mail has had its id before there were other ways. */
function tellingId(settings: string, way: Way): string {
  return way === 'mail' ? settings : `${settings}/${way}`
}

/** The persons of an account, with what they are in it; none of one that is closed. */
export async function rolesIn(
  { accounts, memberships }: Pick<Store, 'accounts' | 'memberships'>,
  accountId: string,
): Promise<Map<string, AccountRole>> {
  const account = await accounts.get(accountId)
  const held = account?.holder_id ?? null
  if (held === null || account?.closed_at !== undefined) return new Map()
  const others = await memberships.find({ account_id: accountId })
  return new Map([
    ...others.map(({ person_id, role }) => [person_id, role] as const),
    [held, 'owner'],
  ])
}

/** What quiet hours keep opens its window again, so that what passes through them is gathered too. */
function reopened(known: Telling, { digest_minutes }: NotificationSettings, now: Date): Telling {
  const isKept = Date.parse(known.due_at) > now.getTime() + digest_minutes * 60_000
  return isKept ? { ...known, opened_at: timestamp(now) } : known
}

function added(
  to: Omit<Telling, 'due_at' | 'version'>,
  news: readonly News[],
  settings: NotificationSettings,
): Telling {
  const counts = { ...to.counts }
  for (const { kind, count } of news) counts[kind] = (counts[kind] ?? 0) + count
  const items = [...to.items, ...news.flatMap((one) => one.items)].slice(0, namedAtMost)
  const gathered = { ...to, counts, items }
  return { ...gathered, due_at: dueAt(gathered, settings), version: randomSuffix(16) }
}

/** When it is told: at the end of its window, or of the quiet hours that this falls into. */
export function dueAt(
  { opened_at, counts }: Pick<Telling, 'opened_at' | 'counts'>,
  { digest_minutes, quiet_hours }: NotificationSettings,
  notBefore = new Date(0),
): string {
  const end = new Date(Date.parse(opened_at) + digest_minutes * 60_000)
  const due = end > notBefore ? end : notBefore
  const passes = quiet_hours?.approvals_pass === true && counts.approval_waiting !== undefined
  const quiet = quiet_hours && !passes ? quietUntil(due, quiet_hours) : undefined
  return timestamp(quiet ?? due)
}
