import { notificationOperations } from '#src/catalog/notification-pages.ts'
import { Refusal } from '#src/core/errors.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Screen, View } from '#src/core/html/view.ts'
import { kinds, type Kind } from '#src/runs/told/kinds.ts'
import { toldBy, unsubscribeFolder } from '#src/runs/told/unsubscribe.ts'
import { told, type Terms } from '../ask.ts'
import { sayingOf } from '../fields.ts'

/** The code in the path of a link that ends mails; undefined for another path. */
export function unsubscribeCodeIn(path: string): string | undefined {
  return path.startsWith(unsubscribeFolder) ? path.slice(unsubscribeFolder.length) : undefined
}

/**
 * The page of the link that ends mails. Opening it changes nothing, so that a mail may be looked through; a program of
 * mails ends them by one POST, as RFC 8058 has it, which names the same.
 */
export function unsubscribeScreen(terms: Terms, code: string): Screen {
  const settings = terms.paths.own('notifications')
  return {
    // RFC 8058 lets programs send a form of several parts. It says nothing that is needed, so it is not read.
    files: { member: 'file', most: 1 },
    show() {
      try {
        return Promise.resolve(askingView(toldBy(terms.entrance, code).kinds))
      } catch (cause) {
        if (cause instanceof Refusal) return Promise.resolve(refusedView(cause))
        throw cause
      }
    },
    async submit(form, visitor): Promise<View> {
      const input = { code, all: form.has('all') }
      // The code names whom it is of, also where someone else is signed in.
      const stranger = { ...visitor, session: undefined }
      const answer = await told(terms, notificationOperations.unsubscribe, input, {
        visitor: stranger,
      })
      if (answer.refusal) return refusedView(answer.refusal)
      const main = html`<p>No mail tells you of these any more:</p>
        ${listOf(answer.value.kinds)}
        <p>You choose otherwise at <a href="${settings}">what you are told</a>.</p>`
      return { status: 200, title: 'These mails have ended', main }
    },
  }
}

function askingView(told: readonly Kind[]): View {
  const main = html`<p>The mail that led you here tells of this:</p>
    ${listOf(told)}
    <form method="post" class="card">
      <button class="main">End these mails</button>
      <button name="all" value="true">End all mails of what happens</button>
    </form>`
  return { status: 200, title: 'End these mails', main }
}

function listOf(told: readonly Kind[]): Html {
  return html`<ul>
    ${told.map((kind) => html`<li>${kinds[kind].title}</li>`)}
  </ul>`
}

function refusedView(refusal: Refusal): View {
  const main = html`<p>${sayingOf(refusal)}</p>`
  return { status: refusal.status, title: 'This link does not work', main }
}
