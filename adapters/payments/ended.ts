import { html } from '#src/core/html/html.ts'
import type { Screen, View } from '#src/core/html/view.ts'

const done: View = {
  status: 200,
  title: 'Thank you',
  main: html`<p>
      What you have paid arrives as soon as the payment is confirmed, mostly within moments.
    </p>
    <p>You can close this page.</p>`,
}

const cancelled: View = {
  status: 200,
  title: 'Nothing was paid',
  main: html`<p>You have turned back. The page to pay on stays open for a while.</p>
    <p>You can close this page.</p>`,
}

/** The screen shown at a path after a provider's page was left; undefined for any other path. */
export function endedScreenAt(path: string, notice: string | undefined): Screen | undefined {
  const view = new Map([
    ['/pay/done', done],
    ['/pay/cancelled', cancelled],
  ]).get(path)
  return view && { show: async () => ({ ...view, ...(notice !== undefined && { notice }) }) }
}
