import type { notificationOperations } from '#src/catalog/notification-pages.ts'
import { pathBelow } from '#src/core/html/below.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { SubscribedBrowser } from '#src/events/browsers/subscription.ts'
import { datedTimeOf } from '#src/views/moments.ts'
import { name as called } from '#src/views/parts.ts'
import type { AnswerOf } from '../ask.ts'
import type { Looking } from '../console/reader.ts'
import { field, type Problems } from '../fields.ts'

const nameAtMost = 200

/** The browsers by which a person is told. */
export type Browsers = AnswerOf<typeof notificationOperations.pushList>
/** How a test went. */
export type Tested = AnswerOf<typeof notificationOperations.test>

/** The browsers of a person, and the form for the one that shows the page, which the script shows where it can be one. */
export function browserPart(
  looking: Looking,
  { items, application_server_key }: Browsers,
  { problems, name }: { problems: Problems; name: string },
): Html {
  const { paths } = looking.terms
  const root = pathBelow(paths.address(''), '')
  return html`<section aria-labelledby="browsers">
    <h2 id="browsers">Browsers</h2>
    <p class="soft">
      A browser that you subscribe shows a notification, also while none of our pages is open in it.
      Who looks at its screen sees what happened, by kind and number.
    </p>
    ${
      items.length > 0 &&
      html`<ul class="list card">
        ${items.map((one) => itemOf(one, looking))}
      </ul>`
    }
    <p
      class="card"
      data-push-without="This browser cannot be subscribed: it has no push notifications, or not for this address."
    >
      To subscribe a browser, let this page run its script in it.
    </p>
    <form
      method="post"
      novalidate
      hidden
      class="card"
      aria-label="Subscribe this browser"
      data-push
      data-push-key="${application_server_key}"
      data-push-worker="${root}/push-worker.js"
      data-push-scope="${root}/"
    >
      <input type="hidden" name="do" value="subscribe" />
      <input type="hidden" name="subscription" />
      ${field({
        name: 'browser_name',
        label: 'Name of this browser',
        attributes: html`autocomplete="off" maxlength="${nameAtMost}" dir="auto" required`,
        value: name,
        problems,
      })}
      <p class="wrong" role="alert" hidden data-says></p>
      <button>Subscribe this browser</button>
    </form>
  </section>`
}

function itemOf(
  { id, name, service, created_at, last_sent_at, error }: SubscribedBrowser,
  { at }: Looking,
): Html {
  const sent =
    last_sent_at === null ? 'nothing sent yet' : html`last sent ${datedTimeOf(last_sent_at, at)}`
  return html`<li>
    <div>
      <p>${called(name, nameAtMost)}</p>
      <p class="soft">By ${new URL(service).host}, since ${datedTimeOf(created_at, at)}, ${sent}</p>
      ${error !== null && html`<p class="wrong">${error}</p>`}
    </div>
    <form method="post">
      <input type="hidden" name="do" value="unsubscribe" />
      <input type="hidden" name="push_id" value="${id}" />
      <button class="bad" aria-label="Remove ${name}">Remove</button>
    </form>
  </li>`
}

/** A test by each way that there is. */
export function testPart(ways: {
  mail: boolean
  webhook: boolean
  push: boolean
}): Html | undefined {
  if (!Object.values(ways).some(Boolean)) return undefined
  const button = (way: keyof typeof ways, label: string) =>
    ways[way] && html`<button name="way" value="${way}">${label}</button>`
  return html`<section aria-labelledby="test">
    <h2 id="test">Try it</h2>
    <form method="post" class="card">
      <input type="hidden" name="do" value="test" />
      <p class="soft">A test is sent at once, in quiet hours too.</p>
      <p class="row">
        ${button('mail', 'Send a test mail')} ${button('webhook', 'Call my webhook')}
        ${button('push', 'Notify my browsers')}
      </p>
    </form>
  </section>`
}

/** How a test went, above the page. */
export function testedPart({ sent, lacking, tried }: Tested): Html {
  const look = sent ? 'card' : 'card wrong'
  return html`<div class="${look}" role="status">
    ${lacking !== undefined && html`<p>Nothing was sent: ${lacking}</p>`}
    ${tried.map(
      ({ to, error }) =>
        html`<p dir="auto">${to}: ${error === null ? 'the test was taken.' : error}</p>`,
    )}
  </div>`
}
