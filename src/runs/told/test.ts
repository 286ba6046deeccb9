import { publicPerson } from '#src/accounts/people/person.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { timestamp } from '#src/core/time.ts'
import { browserAfter, type Push } from '#src/events/browsers/push.ts'
import type { StoredBrowser } from '#src/events/browsers/subscription.ts'
import { answerWithinMs, attempt } from '#src/events/outbox/attempt.ts'
import type { StoredDelivery } from '#src/events/outbox/delivery.ts'
import { eventApiVersion } from '#src/events/outbox/event-body.ts'
import { newDelivery } from '#src/events/outbox/outbox.ts'
import type { Tried } from '#src/events/outbox/tried.ts'
import { MailFailure, type OutgoingMail } from '#src/ports/mail/mailer.ts'
import type { Write } from '#src/ports/store.ts'
import { browsersOf } from './push.ts'
import { newsSeal, settingsId, type Way } from './settings.ts'

/** The event that a test is of. */
const testEvent = 'account.test'

type Needed = Pick<
  Ports,
  'store' | 'clock' | 'sealer' | 'settings' | 'sender' | 'messengers' | 'mailer'
>

interface Whom {
  account_id: string
  person_id: string
}

/** How a test went at one place. */
interface TestedPlace {
  to: string
  status: number | null
  /** Null if it was taken. */
  error: string | null
}

/** How a test went. */
export interface Tested {
  tried: TestedPlace[]
  /** Why nothing was tried. */
  lacking?: string
  /** What is kept of it. */
  writes: Write[]
}

/** Sends a test in one way at once, without regard to what the person has chosen. */
export function testOf(ports: Needed, way: Way, whom: Whom): Promise<Tested> {
  return ways[way](ports, whom)
}

const ways: Readonly<Record<Way, (ports: Needed, whom: Whom) => Promise<Tested>>> = {
  mail: testMail,
  webhook: testWebhook,
  push: testPushes,
}

function lacks(lacking: string): Tested {
  return { tried: [], lacking, writes: [] }
}

async function testMail(ports: Needed, { person_id }: Whom): Promise<Tested> {
  const { store, clock, mailer, settings } = ports
  if (!mailer) return lacks('This server sends no mails.')
  const person = await store.persons.get(person_id)
  if (!person || !publicPerson(person).email_verified) {
    return lacks('Mails go to a verified address alone, and yours is not.')
  }
  const { publicUrl } = settings
  const mail: OutgoingMail = {
    id: newId('mal'),
    to: person.email,
    subject: 'A test',
    text: `This is the test that you have asked for at ${new URL(publicUrl).host}.\n\nWhat you are told is set here:\n${publicUrl}/settings/notifications\n`,
  }
  const late = new AbortController()
  const cancel = clock.after(answerWithinMs, () => late.abort())
  try {
    await mailer.send(mail, late.signal)
    return { tried: [{ to: person.email, status: null, error: null }], writes: [] }
  } catch (cause) {
    if (!late.signal.aborted && !(cause instanceof MailFailure)) throw cause
    const error =
      cause instanceof MailFailure ? cause.message : 'The mail server has not taken it in time.'
    return { tried: [{ to: person.email, status: null, error }], writes: [] }
  } finally {
    cancel()
  }
}

async function testWebhook(ports: Needed, whom: Whom): Promise<Tested> {
  const { store, clock, sealer } = ports
  const { account_id, person_id } = whom
  const chosen = await store.notification_settings.get(settingsId(account_id, person_id))
  if (!chosen?.webhook) return lacks('You have set no webhook.')
  const now = clock.now()
  const { id, webhook, sealed_secret = '' } = chosen
  const eventId = newId('evt')
  const body = {
    id: eventId,
    type: testEvent,
    timestamp: timestamp(now),
    api_version: eventApiVersion,
    data: { account_id },
  }
  const { url } = webhook
  const secret = sealer.open(sealed_secret, newsSeal(id))
  const tried = await triedNow(ports, sent(ports, whom, { eventId, url, body, secret, now }))
  return { tried: [placeOf(url, tried)], writes: [] }
}

async function testPushes(ports: Needed, whom: Whom): Promise<Tested> {
  const browsers = await browsersOf(ports.store, whom.person_id)
  if (browsers.length === 0) return lacks('You have subscribed no browser.')
  const all = await Promise.all(
    browsers.map(async (browser) => ({ browser, tried: await testPush(ports, whom, browser) })),
  )
  return {
    tried: all.map(({ browser, tried }) => placeOf(browser.name, tried)),
    writes: all.flatMap(({ browser, tried }) => browserAfter(browser, tried)),
  }
}

function testPush(ports: Needed, whom: Whom, { id, service: url }: StoredBrowser): Promise<Tried> {
  const { clock, settings } = ports
  const now = clock.now()
  const eventId = newId('evt')
  const { host } = new URL(settings.publicUrl)
  const payload = {
    id: eventId,
    type: testEvent,
    timestamp: timestamp(now),
    account_id: whom.account_id,
    title: 'A test',
    text: `At ${host}`,
    url: `${settings.publicUrl}/settings/notifications`,
    tag: 'test',
  }
  const body: Push = { urgency: 'normal', topic: 'test', payload }
  return triedNow(ports, {
    ...sent(ports, whom, { eventId, url, body, secret: null, now }),
    told_browser: id,
  })
}

/** As it is sent in earnest, but stored nowhere. */
function sent(
  { sealer }: Needed,
  { account_id, person_id }: Whom,
  what: { eventId: string; url: string; body: object; secret: string | null; now: Date },
): StoredDelivery {
  const owed = { ...what, ownerId: account_id, appId: null, charId: null, type: testEvent }
  return { ...newDelivery(owed, sealer), told_person: person_id }
}

function triedNow(ports: Needed, delivery: StoredDelivery): Promise<Tried> {
  return attempt(ports, delivery, ports.clock.now(), new AbortController().signal)
}

function placeOf(to: string, { status, error }: Tried): TestedPlace {
  return { to, status: status ?? null, error: error ?? null }
}
