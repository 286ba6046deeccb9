import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { kindNames, kinds, type Kind } from '#src/runs/told/kinds.ts'
import type { Looking } from '../console/reader.ts'
import { field, problemOfAll, tick, type Problems } from '../fields.ts'

/** The form of what a person is told, as it was filled in, and what was wrong with it. */
export interface NotificationForm {
  mails: ReadonlySet<Kind>
  isQuiet: boolean
  from: string
  to: string
  timezone: string
  approvalsPass: boolean
  minutes: string
  problems: Problems
}

/** The page of what a person is told by mail, and when. */
export function notificationsView(
  { terms, me, account }: Looking,
  form: NotificationForm,
  isSaved: boolean,
): View {
  const { paths, hasMail } = terms
  const { problems } = form
  const main = html`${isSaved && html`<p class="card" role="status">It is saved.</p>`}
    ${problemOfAll(problems)}
    <p><a href="${paths.settings(account.id)}">All settings</a></p>
    ${reachOf(hasMail, me.person.email_verified, paths.own('security'))}
    <form method="post" novalidate class="card" aria-label="What you are told">
      <fieldset>
        <legend>Send me a mail when</legend>
        ${kindNames.map((kind) =>
          tick({
            name: kind,
            label: kinds[kind].title,
            isTicked: form.mails.has(kind),
            problems,
          }),
        )}
      </fieldset>
      ${field({
        name: 'digest_minutes',
        label: 'Gather for so many minutes into one mail',
        hint: 'From the first that happens; a mail counts all of it, and links the first ten.',
        attributes: html`inputmode="numeric" maxlength="4" autocomplete="off"`,
        value: form.minutes,
        problems,
      })}
      ${quietFields(form)}
      <button class="main">Save</button>
    </form>`
  return { status: 200, title: 'What you are told', main }
}

function reachOf(hasMail: boolean, isVerified: boolean, security: string): Html | undefined {
  if (!hasMail) return html`<p class="card">This server sends no mails, so none of it arrives.</p>`
  if (isVerified) return undefined
  return html`<p class="card">
    Mails go to a verified address alone. <a href="${security}">Verify yours</a>
  </p>`
}

function quietFields(form: NotificationForm): Html {
  const { problems } = form
  const time = html`type="time" autocomplete="off"`
  return html`<fieldset>
    <legend>Quiet hours</legend>
    ${tick({
      name: 'quiet',
      label: 'Keep what happens at night until the morning',
      isTicked: form.isQuiet,
      problems,
    })}
    ${field({ name: 'from', label: 'From', attributes: time, value: form.from, problems })}
    ${field({ name: 'to', label: 'To', attributes: time, value: form.to, problems })}
    ${field({
      name: 'timezone',
      label: 'Time zone',
      attributes: html`maxlength="64" autocomplete="off" spellcheck="false"`,
      value: form.timezone,
      problems,
    })}
    ${tick({
      name: 'approvals_pass',
      label: 'Tell me of approvals in these hours too',
      isTicked: form.approvalsPass,
      problems,
    })}
  </fieldset>`
}
