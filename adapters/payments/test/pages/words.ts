import { html, type Html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Price } from '#src/ports/payments.ts'

/** Shown on every page of this provider. */
export const notice = 'Test mode: nothing is charged'

/** How often a price is paid, to follow the amount. */
export function howOften({ interval }: Pick<Price, 'interval'>): string {
  return interval === null ? '' : ` per ${interval}`
}

/** An address that a page may lead to; undefined if it is not valid. */
export function webAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** A link that looks like a button; nothing if the address is not valid. */
export function linkTo(address: string, text: string): Html | undefined {
  const url = webAddress(address)
  return url && html`<a class="button" href="${url.href}">${text}</a>`
}

/** For an address at which this provider never had a page. */
export function nothingHere(title: string): View {
  const main = html`<p>Look at the address again: one letter may be missing.</p>`
  return { status: 404, title, main, notice }
}

/** For a page whose time is over; it leads back. */
export function expiredPage(advice: string, back: string): View {
  const main = html`<p>${advice}</p>
    ${linkTo(back, 'Go back')}`
  return { status: 410, title: 'This page has expired', main, notice }
}
