import { notificationOperations } from '#src/catalog/notification-pages.ts'
import { kindNames } from '#src/runs/told/kinds.ts'
import type { Refusal } from '#src/core/errors.ts'
import type { NotificationSettings } from '#src/runs/told/settings.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { numberIn, problemsOf, type Problems } from '../fields.ts'
import { callName, notificationsView, webhookSecretView, type NotificationForm } from './views.ts'

/** The page of what a person is told, how, and when. */
export function notificationScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.own('notifications', 'saved')
  return {
    here: terms.paths.own('notifications'),
    async show(query, looking, typed) {
      const now = await answered(terms, notificationOperations.get, {}, looking.as)
      const form = typed ? formIn(typed, looking) : formOf(now, looking)
      return shown(looking, form, { ...now, isSaved: query.get('done') === 'saved' })
    },
    async submit(form, looking) {
      const doing = form.get('do')
      if (doing === 'set') return webhookSet(terms, looking, form)
      const sent = formIn(form, looking)
      const now = await answered(terms, notificationOperations.get, {}, looking.as)
      const { refusal } =
        doing === 'delete'
          ? await told(terms, notificationOperations.webhookDelete, {}, looking.as)
          : await told(terms, notificationOperations.update, changeOf(sent, now), looking.as)
      if (!refusal) return { goTo: here }
      return refused(looking, { ...sent, url: now.webhook?.url ?? '' }, now, refusal)
    },
  }
}

/** Sets the webhook, and shows its secret, which no other page does. */
async function webhookSet(terms: Terms, looking: Looking, sent: URLSearchParams) {
  const now = await answered(terms, notificationOperations.get, {}, looking.as)
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
  now: NotificationSettings,
  refusal: Refusal,
): ConsoleView {
  if (isSignedOut(refusal)) throw refusal
  const view = shown(looking, { ...form, problems: problemsOf(refusal, words) }, now)
  return { ...view, status: refusal.status }
}

const words: Problems = {
  url: 'A public address to which we can send, such as https://example.com/told.',
  from: 'A time of the day, such as 22:00.',
  to: 'Another time of the day than the first, such as 07:00.',
  timezone: 'The name of a time zone, such as Europe/Berlin.',
  digest_minutes: 'A whole number of minutes, from 1 to 1440.',
}

function shown(
  looking: Looking,
  form: NotificationForm,
  { webhook, isSaved = false }: Pick<NotificationSettings, 'webhook'> & { isSaved?: boolean },
): ConsoleView {
  return {
    ...notificationsView(looking, form, { webhook, isSaved }),
    place: 'settings',
    isForAll: true,
  }
}

function formOf(now: NotificationSettings, { visitor }: Looking): NotificationForm {
  const { quiet_hours: quiet, digest_minutes, kinds, webhook } = now
  return {
    mails: new Set(kindNames.filter((kind) => kinds[kind].mail)),
    calls: new Set(kindNames.filter((kind) => kinds[kind].webhook)),
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

function changeOf(form: NotificationForm, { webhook }: NotificationSettings) {
  const { from, to, timezone, approvalsPass } = form
  return {
    kinds: Object.fromEntries(
      kindNames.map((kind) => [
        kind,
        // What the page does not show stays.
        { mail: form.mails.has(kind), ...(webhook && { webhook: form.calls.has(kind) }) },
      ]),
    ),
    quiet_hours: form.isQuiet ? { from, to, timezone, approvals_pass: approvalsPass } : null,
    // What is no number is refused as one that is out of bounds.
    digest_minutes: numberIn(form.minutes) ?? 0,
  }
}
