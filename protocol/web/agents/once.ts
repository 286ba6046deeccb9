import { randomHex } from '#src/core/ids.ts'
import { html, type Html } from '#src/core/html/html.ts'

/** Marks a form, so that it does one thing however often it is sent. */
export function onceField(): Html {
  return html`<input type="hidden" name="once" value="${randomHex(16)}" />`
}

/** The mark of a form. */
export function onceIn(form: URLSearchParams): string | undefined {
  return /^[0-9a-f]{32}$/.exec(form.get('once') ?? '')?.[0]
}
