import { hasRoomFor, mailTo } from '#src/accounts/mail/mail.ts'
import { publicPerson, type StoredPerson } from '#src/accounts/people/person.ts'
import type { Ports } from '#src/core/context.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { kindNames } from './kinds.ts'
import { settingsId, settingsOf, type NotificationSettings, type Way } from './settings.ts'
import { dueAt, isWanted, rolesIn, type Telling } from './gather.ts'
import { callOf, hasRoomForCall } from './call.ts'
import { pushesOf } from './push.ts'
import { unsubscribeAddress } from './unsubscribe.ts'
import { newsWords } from './words.ts'

/** Tellings that one look takes. */
const atOnce = 50
/** Who has had many mails within an hour, or takes no calls, is told the next after so long. */
const restSeconds = 600
/** News of a week ago is none. */
const holdsSeconds = 7 * 86_400

type Needed = Pick<Ports, 'store' | 'clock' | 'sealer' | 'settings'>

/**
 * Writes the mails and calls whose window is over, each with the end of what it tells in one commit: of several processes
 * that do the same, one alone has it sent, and one that dies in between loses nothing.
 * @returns how many were looked at
 */
export async function postNews(ports: Needed): Promise<number> {
  const { store, clock } = ports
  const due = { due_at: { $lte: timestamp(clock.now()) } }
  const tellings = await store.tellings.find(due, { sort: { due_at: 1 }, limit: atOnce })
  for (const telling of tellings) {
    try {
      await store.commit(await posting(ports, telling))
    } catch (cause) {
      if (!isOvertaken(cause)) throw cause
    }
  }
  return tellings.length
}

async function posting(ports: Needed, telling: Telling): Promise<Write[]> {
  const { store, clock, settings } = ports
  const { id, version, account_id: accountId, person_id } = telling
  const now = clock.now()
  const [person, roles, chosen] = await Promise.all([
    store.persons.get(person_id),
    rolesIn(store, accountId),
    store.notification_settings.get(settingsId(accountId, person_id)),
  ])
  const role = roles.get(person_id)
  const way = telling.way ?? 'mail'
  const over: Write[] = [
    { in: 'tellings', update: { id, version }, change: { $set: { version: randomSuffix(16) } } },
    { in: 'tellings', delete: { id } },
  ]
  // They may have left, or chosen otherwise, since it was gathered.
  if (!person || role === undefined) return over
  if (way === 'mail' && !publicPerson(person).email_verified) return over
  const wanted = settingsOf(chosen, role)
  const left = stillWanted(telling, wanted, way)
  if (Object.keys(left.counts).length === 0) return over
  const due_at = (await hasRoom(ports, telling, person))
    ? dueAt({ ...telling, ...left }, wanted, now)
    : secondsAfter(now, restSeconds)
  if (due_at > timestamp(now)) {
    return [{ in: 'tellings', update: { id, version }, change: { $set: { due_at } } }]
  }
  if (way === 'push') return [...over, ...(await pushesOf(ports, telling, left))]
  if (way === 'webhook') {
    return chosen ? [...over, callOf(ports, chosen, left)] : over
  }
  const words = newsWords({ telling: left, names: await namesOf(store, left), settings })
  const about = { kind: 'news', to: person.email, accountId, holdsSeconds } as const
  const kinds = kindNames.filter((kind) => left.counts[kind] !== undefined)
  const unsubscribe = unsubscribeAddress(ports, { account_id: accountId, person_id, kinds })
  return [...over, ...(await mailTo(ports, { ...about, ...words, unsubscribe }))]
}

/** Whether one more may go out in this way now. */
function hasRoom(
  ports: Needed,
  { way, account_id }: Telling,
  { id, email }: StoredPerson,
): Promise<boolean> {
  // A push takes the place of the one before.
  if (way === 'push') return Promise.resolve(true)
  return way === 'webhook'
    ? hasRoomForCall(ports, account_id, id)
    : hasRoomFor(ports, 'news', email)
}

function stillWanted(
  { counts, items }: Telling,
  wanted: NotificationSettings,
  way: Way,
): Pick<Telling, 'counts' | 'items'> {
  const left: Telling['counts'] = {}
  for (const kind of kindNames) {
    if (counts[kind] !== undefined && isWanted(wanted, kind, way)) left[kind] = counts[kind]
  }
  return { counts: left, items: items.filter(({ kind }) => left[kind] !== undefined) }
}

async function namesOf(
  { characters }: Pick<Store, 'characters'>,
  { items }: Pick<Telling, 'items'>,
): Promise<Map<string, string>> {
  const ids = items.flatMap(({ char_id }) => (char_id === null ? [] : [char_id]))
  if (ids.length === 0) return new Map()
  const rows = await characters.pick(['id', 'name'], { id: { $in: [...new Set(ids)] } })
  return new Map(rows.map(([id, name]) => [String(id), String(name)]))
}
