import type { AccountRole } from '#src/core/authorization/account-roles.ts'
import type { Ports } from '#src/core/context.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import type { Kind } from './kinds.ts'
import { namedAtMost, type News, type NewsItem } from './news.ts'
import { quietUntil } from './quiet.ts'
import { settingsId, settingsOf, type NotificationSettings } from './settings.ts'

/** What a person is to be told of an account in their next mail: one a person and account, however much it is. */
export interface Telling {
  id: string
  account_id: string
  person_id: string
  /** How often each kind happened. */
  counts: Partial<Record<Kind, number>>
  /** The first of it. */
  items: NewsItem[]
  opened_at: string
  due_at: string
  /** Another with each change. */
  version: string
}

/** News that one look takes. */
const atOnce = 200

/**
 * Puts what has happened to what each person is to be told of: the first opens a window, and all until its end goes into
 * one mail. Of several processes that do the same, one commits.
 * @returns how much news was taken
 */
export async function gatherNews({ store, clock, mailer }: Needed): Promise<number> {
  const oldest = { sort: { at: 1 }, limit: atOnce } as const
  const ofAccounts = Map.groupBy(await store.news.find({}, oldest), ({ owner_id }) => owner_id)
  let taken = 0
  for (const [accountId, news] of ofAccounts) {
    const taking = news.flatMap(({ id, at }): Write[] => [
      // Fails where another process was first, as a deletion would not.
      { in: 'news', update: { id }, change: { $set: { at } } },
      { in: 'news', delete: { id } },
    ])
    try {
      const told = mailer ? await toldOf(store, accountId, news, clock.now()) : []
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
  accountId: string,
  news: readonly News[],
  now: Date,
): Promise<Write[]> {
  const roles = await rolesIn(store, accountId)
  const ids = [...roles.keys()].map((person) => settingsId(accountId, person))
  if (ids.length === 0) return []
  const [chosen, open] = await Promise.all([
    store.notification_settings.find({ id: { $in: ids } }),
    store.tellings.find({ id: { $in: ids } }),
  ])
  const settings = new Map(chosen.map((one) => [one.id, one]))
  const tellings = new Map(open.map((one) => [one.id, one]))
  return [...roles].flatMap(([person_id, role]): Write[] => {
    const id = settingsId(accountId, person_id)
    const wanted = settingsOf(settings.get(id), role)
    const its = news.filter(({ kind }) => wanted.kinds[kind].mail)
    if (its.length === 0) return []
    const known = tellings.get(id)
    const base = known && reopened(known, wanted, now)
    const empty = { counts: {}, items: [], opened_at: timestamp(now) }
    const replace = added(base ?? { ...empty, id, account_id: accountId, person_id }, its, wanted)
    return known
      ? [{ in: 'tellings', update: { id, version: known.version }, replace }]
      : [{ in: 'tellings', insert: replace }]
  })
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
