import { notificationOperations } from '#src/catalog/notification-pages.ts'
import { kindNames } from '#src/runs/told/kinds.ts'
import type { NotificationSettings } from '#src/runs/told/settings.ts'
import { answered, isSignedOut, told, type Terms } from '../ask.ts'
import type { ConsoleView } from '../console/frame.ts'
import type { Looking } from '../console/reader.ts'
import type { ConsoleScreen } from '../console/screen.ts'
import { numberIn, problemsOf, type Problems } from '../fields.ts'
import { notificationsView, type NotificationForm } from './views.ts'

/** The page of what a person is told by mail, and when. */
export function notificationScreen(terms: Terms): ConsoleScreen {
  const here = terms.paths.own('notifications')
  return {
    here,
    async show(query, looking, typed) {
      const now = await answered(terms, notificationOperations.get, {}, looking.as)
      const form = typed ? formIn(typed, looking) : formOf(now, looking)
      return shown(looking, form, query.get('done') === 'saved')
    },
    async submit(form, looking) {
      const sent = formIn(form, looking)
      const { refusal } = await told(
        terms,
        notificationOperations.update,
        changeOf(sent),
        looking.as,
      )
      if (!refusal) return { goTo: terms.paths.own('notifications', 'saved') }
      if (isSignedOut(refusal)) throw refusal
      const view = shown(looking, { ...sent, problems: problemsOf(refusal, words) })
      return { ...view, status: refusal.status }
    },
  }
}

const words: Problems = {
  from: 'A time of the day, such as 22:00.',
  to: 'Another time of the day than the first, such as 07:00.',
  timezone: 'The name of a time zone, such as Europe/Berlin.',
  digest_minutes: 'A whole number of minutes, from 1 to 1440.',
}

function shown(looking: Looking, form: NotificationForm, isSaved = false): ConsoleView {
  return { ...notificationsView(looking, form, isSaved), place: 'settings', isForAll: true }
}

function formOf(now: NotificationSettings, { visitor }: Looking): NotificationForm {
  const { quiet_hours: quiet, digest_minutes, kinds } = now
  return {
    mails: new Set(kindNames.filter((kind) => kinds[kind].mail)),
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
    isQuiet: form.has('quiet'),
    from: text('from'),
    to: text('to'),
    timezone: text('timezone') || visitor.zone,
    approvalsPass: form.has('approvals_pass'),
    minutes: text('digest_minutes'),
    problems: {},
  }
}

function changeOf(form: NotificationForm) {
  const { from, to, timezone, approvalsPass } = form
  return {
    kinds: Object.fromEntries(kindNames.map((kind) => [kind, { mail: form.mails.has(kind) }])),
    quiet_hours: form.isQuiet ? { from, to, timezone, approvals_pass: approvalsPass } : null,
    // What is no number is refused as one that is out of bounds.
    digest_minutes: numberIn(form.minutes) ?? 0,
  }
}
