import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { kindNames, kinds, type Kind } from '#src/runs/told/kinds.ts'
import type { NotificationSettings } from '#src/runs/told/settings.ts'
import type { Looking } from '../console/reader.ts'
import { field, problemOfAll, shownOnce, tick, type Problems } from '../fields.ts'

/** The form of what a person is told, as it was filled in, and what was wrong with it. */
export interface NotificationForm {
  mails: ReadonlySet<Kind>
  calls: ReadonlySet<Kind>
  isQuiet: boolean
  from: string
  to: string
  timezone: string
  approvalsPass: boolean
  minutes: string
  /** The address of the webhook. */
  url: string
  problems: Problems
}

/** The page of what a person is told, how, and when. */
export function notificationsView(
  { terms, me, account }: Looking,
  form: NotificationForm,
  { webhook, isSaved }: { webhook: NotificationSettings['webhook']; isSaved: boolean },
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
      ${
        webhook &&
        html`<fieldset>
          <legend>Call my webhook when</legend>
          ${kindNames.map((kind) =>
            tick({
              name: callName(kind),
              label: kinds[kind].title,
              isTicked: form.calls.has(kind),
              problems,
            }),
          )}
        </fieldset>`
      }
      ${field({
        name: 'digest_minutes',
        label: 'Gather for so many minutes into one mail or call',
        hint: 'From the first that happens; it counts all of it, and links the first ten.',
        attributes: html`inputmode="numeric" maxlength="4" autocomplete="off"`,
        value: form.minutes,
        problems,
      })}
      ${quietFields(form)}
      <button class="main">Save</button>
    </form>
    ${webhookPart(form, webhook)}`
  return { status: 200, title: 'What you are told', main }
}

/** The name of the tick for what the webhook is called for. */
export function callName(kind: Kind): string {
  return `call_${kind}`
}

function webhookPart(
  { url, problems }: NotificationForm,
  webhook: NotificationSettings['webhook'],
): Html {
  const isOff = webhook?.state === 'disabled'
  return html`<section aria-labelledby="webhook">
    <h2 id="webhook">Webhook</h2>
    <p class="soft">
      Your program is called with counts and links, signed as our other webhooks are.
    </p>
    ${
      isOff &&
      html`<p class="wrong" role="status">
        It took nothing for a day, or is gone, and is disabled. Set it again once it works.
      </p>`
    }
    <form method="post" novalidate class="card">
      <input type="hidden" name="do" value="set" />
      ${field({
        name: 'url',
        label: 'Address',
        hint: webhook
          ? 'Setting it makes a new secret; the old one signs nothing more.'
          : undefined,
        attributes: html`type="url" maxlength="2048" autocomplete="off" spellcheck="false"`,
        value: url,
        problems,
      })}
      <button>${webhook ? 'Set again, with a new secret' : 'Set'}</button>
    </form>
    ${
      webhook &&
      html`<form method="post" class="card">
        <input type="hidden" name="do" value="delete" />
        <button>Take it away</button>
      </form>`
    }
  </section>`
}

/** The only page that shows the secret of a webhook. */
export function webhookSecretView(back: string, secret: string): View {
  const main = html`<p>Your webhook is set. Its calls are signed with this secret.</p>
    ${shownOnce({ id: 'secret', label: 'The secret', act: 'Copy it now and keep it secret', text: secret })}
    <p><a href="${back}">What you are told</a></p>`
  return { status: 200, title: 'Your webhook', main }
}

function reachOf(hasMail: boolean, isVerified: boolean, security: string): Html | undefined {
  if (!hasMail) return html`<p class="card">This server sends no mails, so none arrive.</p>`
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
