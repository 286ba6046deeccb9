import { randomHex } from '#src/core/ids.ts'
import { html, type Html } from '#src/core/html/html.ts'

/** A mark by which a form that is sent again, by a double click or a reload, does nothing a second time. */
export function newOnce(): string {
  return randomHex(16)
}

/** The field that holds it. */
export function onceField(once: string = newOnce()): Html {
  return html`<input type="hidden" name="once" value="${once}" />`
}

/** The mark that a form came with, as the key of its call. */
export function onceIn(form: URLSearchParams): string | undefined {
  return /^[0-9a-f]{32}$/.exec(form.get('once') ?? '')?.[0]
}
