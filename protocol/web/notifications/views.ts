import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { kindNames, kinds, type Kind } from '#src/runs/told/kinds.ts'
import type { NotificationSettings } from '#src/runs/told/settings.ts'
import type { Looking } from '../console/reader.ts'
import { browserPart, testedPart, testPart, type Browsers, type Tested } from './browsers.ts'
import { field, problemOfAll, shownOnce, tick, type Problems } from '../fields.ts'

/** The form of what a person is told, as it was filled in, and what was wrong with it. */
export interface NotificationForm {
  mails: ReadonlySet<Kind>
  calls: ReadonlySet<Kind>
  pushes: ReadonlySet<Kind>
  isQuiet: boolean
  from: string
  to: string
  timezone: string
  approvalsPass: boolean
  minutes: string
  /** The address of the webhook. */
  url: string
  /** The name of the browser that is to be subscribed. */
  browserName: string
  problems: Problems
}

/** What the page shows next to its form. */
export interface Shown extends Pick<NotificationSettings, 'webhook'> {
  browsers: Browsers
  isSaved?: boolean
  /** How a test went, if one was sent. */
  tested?: Tested
}

/** The page of what a person is told, how, and when. */
export function notificationsView(
  looking: Looking,
  form: NotificationForm,
  { webhook, browsers, isSaved, tested }: Shown,
): View {
  const { terms, me, account } = looking
  const { paths, hasMail } = terms
  const hasBrowser = browsers.items.length > 0
  const isVerified = me.person.email_verified
  const { problems } = form
  const main = html`${isSaved && html`<p class="card" role="status">It is saved.</p>`}
    ${tested && testedPart(tested)} ${problemOfAll(problems)}
    <p><a href="${paths.settings(account.id)}">All settings</a></p>
    ${reachOf(hasMail, isVerified, paths.own('security'))}
    <form method="post" novalidate class="card" aria-label="What you are told">
      ${kindTicks('Send me a mail when', (kind) => kind, form.mails)}
      ${webhook && kindTicks('Call my webhook when', callName, form.calls)}
      ${hasBrowser && kindTicks('Notify my browsers when', pushName, form.pushes)}
      ${field({
        name: 'digest_minutes',
        label: 'Gather for so many minutes into one mail, call or notification',
        hint: 'From the first that happens; it counts all of it, and links the first ten.',
        attributes: html`inputmode="numeric" maxlength="4" autocomplete="off"`,
        value: form.minutes,
        problems,
      })}
      ${quietFields(form)}
      <button class="main">Save</button>
    </form>
    ${browserPart(looking, browsers, { problems, name: form.browserName })}
    ${webhookPart(form, webhook)}
    ${testPart({ mail: hasMail && isVerified, webhook: webhook !== null, push: hasBrowser })}`
  return { status: 200, title: 'What you are told', main, subscribes: true }
}

/** The name of the tick for what the webhook is called for. */
export function callName(kind: Kind): string {
  return `call_${kind}`
}

/** The same for what browsers show. */
export function pushName(kind: Kind): string {
  return `push_${kind}`
}

function kindTicks(
  legend: string,
  nameOf: (kind: Kind) => string,
  ticked: ReadonlySet<Kind>,
): Html {
  return html`<fieldset>
    <legend>${legend}</legend>
    ${kindNames.map((kind) =>
      tick({
        name: nameOf(kind),
        label: kinds[kind].title,
        isTicked: ticked.has(kind),
        problems: {},
      }),
    )}
  </fieldset>`
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
