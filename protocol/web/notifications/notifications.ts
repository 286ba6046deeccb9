import { notificationOperations } from '#src/catalog/notification-pages.ts'
import { kindNames } from '#src/runs/told/kinds.ts'
import type { Refusal } from '#src/core/errors.ts'
import { wayNames, type NotificationSettings } from '#src/runs/told/settings.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { numberIn, problemsOf, type Problems } from '../fields.ts'
import {
  callName,
  notificationsView,
  pushName,
  webhookSecretView,
  type NotificationForm,
  type Shown,
} from './views.ts'

/** The page of what a person is told, how, and when. */
export function notificationScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.own('notifications', 'saved')
  return {
    here: terms.paths.own('notifications'),
    async show(query, looking, typed) {
      const now = await nowOf(terms, looking)
      const form = typed ? formIn(typed, looking) : formOf(now, looking)
      return shown(looking, form, { ...now, isSaved: query.get('done') === 'saved' })
    },
    async submit(form, looking) {
      const doing = form.get('do')
      if (doing === 'set') return webhookSet(terms, looking, form)
      if (doing === 'test') return testSent(terms, looking, form)
      const { refusal } = await done(terms, looking, form)
      if (!refusal) return { goTo: here }
      const now = await nowOf(terms, looking)
      const isSubscribing = doing === 'subscribe' || doing === 'unsubscribe'
      const sent = isSubscribing ? formOf(now, looking) : formIn(form, looking)
      const browserName = form.get('browser_name') ?? newBrowser
      return refused(looking, { ...sent, url: now.webhook?.url ?? '', browserName }, now, refusal)
    },
  }
}

const newBrowser = 'This browser'

/** What is chosen and set up now. */
type Now = NotificationSettings & Pick<Shown, 'browsers'>

async function nowOf(terms: Terms, { as }: Looking): Promise<Now> {
  const [chosen, browsers] = await Promise.all([
    answered(terms, notificationOperations.get, {}, as),
    answered(terms, notificationOperations.pushList, {}, as),
  ])
  return { ...chosen, browsers }
}

/** Does what a form asks for. */
async function done(terms: Terms, looking: Looking, form: URLSearchParams) {
  const { as } = looking
  switch (form.get('do')) {
    case 'delete':
      return told(terms, notificationOperations.webhookDelete, {}, as)
    case 'unsubscribe': {
      const push_id = form.get('push_id') ?? ''
      return told(terms, notificationOperations.pushDelete, { push_id }, as)
    }
    case 'subscribe': {
      const name = form.get('browser_name')?.trim() ?? ''
      const subscription = subscriptionIn(form.get('subscription') ?? '')
      return told(terms, notificationOperations.pushAdd, { name, subscription }, as)
    }
    default: {
      const change = changeOf(formIn(form, looking), await nowOf(terms, looking))
      return told(terms, notificationOperations.update, change, as)
    }
  }
}

type Subscription = Parameters<typeof notificationOperations.pushAdd.run>[0]['subscription']

/** What the script put there; the operation says what is wrong with anything else. */
function subscriptionIn(text: string): Subscription {
  try {
    return JSON.parse(text) as Subscription
  } catch {
    return { endpoint: '', keys: { p256dh: '', auth: '' } }
  }
}

/** Sends a test, and says how it went. */
async function testSent(terms: Terms, looking: Looking, form: URLSearchParams) {
  const way = wayNames.find((one) => one === form.get('way')) ?? 'mail'
  const answer = await told(terms, notificationOperations.test, { way }, looking.as)
  const now = await nowOf(terms, looking)
  const chosen = formOf(now, looking)
  if (answer.refusal) return refused(looking, chosen, now, answer.refusal)
  return shown(looking, chosen, { ...now, tested: answer.value })
}

/** Sets the webhook, and shows its secret, which no other page does. */
async function webhookSet(terms: Terms, looking: Looking, sent: URLSearchParams) {
  const now = await nowOf(terms, looking)
  const url = sent.get('url')?.trim() ?? ''
  const answer = await told(terms, notificationOperations.webhookSet, { url }, looking.as)
  const form = { ...formOf(now, looking), url }
  if (answer.refusal) return refused(looking, form, now, answer.refusal)
  const view = webhookSecretView(terms.paths.own('notifications'), answer.value.secret)
  return { ...view, place: 'settings' as const, isForAll: true }
}

function refused(
  looking: Looking,
  form: NotificationForm,
  now: Now,
  refusal: Refusal,
): ConsoleView {
  if (isSignedOut(refusal)) throw refusal
  const view = shown(looking, { ...form, problems: problemsIn(refusal) }, now)
  return { ...view, status: refusal.status }
}

/** The name of a browser has a field of another name than its member, and what the script brings has none. */
function problemsIn(refusal: Refusal): Problems {
  const { name, subscription, ...others } = problemsOf(refusal, words)
  return {
    ...others,
    ...(name !== undefined && { browser_name: name }),
    ...(subscription !== undefined && { '': subscription }),
  }
}

const words: Problems = {
  url: 'A public address to which we can send, such as https://example.com/told.',
  from: 'A time of the day, such as 22:00.',
  to: 'Another time of the day than the first, such as 07:00.',
  timezone: 'The name of a time zone, such as Europe/Berlin.',
  digest_minutes: 'A whole number of minutes, from 1 to 1440.',
  name: 'A name of 1 to 200 characters.',
}

function shown(looking: Looking, form: NotificationForm, now: Shown): ConsoleView {
  return { ...notificationsView(looking, form, now), place: 'settings', isForAll: true }
}

function formOf(now: NotificationSettings, { visitor }: Looking): NotificationForm {
  const { quiet_hours: quiet, digest_minutes, kinds, webhook } = now
  return {
    mails: new Set(kindNames.filter((kind) => kinds[kind].mail)),
    calls: new Set(kindNames.filter((kind) => kinds[kind].webhook)),
    pushes: new Set(kindNames.filter((kind) => kinds[kind].push)),
    browserName: newBrowser,
    url: webhook?.url ?? '',
    isQuiet: quiet !== null,
    from: quiet?.from ?? '22:00',
    to: quiet?.to ?? '07:00',
    timezone: quiet?.timezone ?? visitor.zone,
    approvalsPass: quiet?.approvals_pass ?? false,
    minutes: String(digest_minutes),
    problems: {},
  }
}

function formIn(form: URLSearchParams, { visitor }: Looking): NotificationForm {
  const text = (name: string) => form.get(name)?.trim() ?? ''
  return {
    mails: new Set(kindNames.filter((kind) => form.has(kind))),
    calls: new Set(kindNames.filter((kind) => form.has(callName(kind)))),
    pushes: new Set(kindNames.filter((kind) => form.has(pushName(kind)))),
    browserName: newBrowser,
    url: text('url'),
    isQuiet: form.has('quiet'),
    from: text('from'),
    to: text('to'),
    timezone: text('timezone') || visitor.zone,
    approvalsPass: form.has('approvals_pass'),
    minutes: text('digest_minutes'),
    problems: {},
  }
}

function changeOf(form: NotificationForm, { webhook, browsers }: Now) {
  const { from, to, timezone, approvalsPass } = form
  return {
    kinds: Object.fromEntries(
      kindNames.map((kind) => [
        kind,
        // What the page does not show stays.
        {
          mail: form.mails.has(kind),
          ...(webhook && { webhook: form.calls.has(kind) }),
          ...(browsers.items.length > 0 && { push: form.pushes.has(kind) }),
        },
      ]),
    ),
    quiet_hours: form.isQuiet ? { from, to, timezone, approvals_pass: approvalsPass } : null,
    // What is no number is refused as one that is out of bounds.
    digest_minutes: numberIn(form.minutes) ?? 0,
  }
}
