import { createHash } from 'node:crypto'
import { Html, html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Reply } from '../reply.ts'
import { style } from './style.ts'

/** The style of a page, and the hash by which the browser is allowed to use it. */
export interface Sheet {
  markup: Html
  hash: string
}

/** Makes a sheet of a style. */
export function sheetOf(style: string): Sheet {
  const hash = createHash('sha256').update(style).digest('base64')
  return { markup: new Html(`<style>${style}</style>`), hash }
}

const shared = sheetOf(style)

/** A page as it is sent: not executed, cached or framed, and its address not disclosed to other sites. */
export function pageReplyOf(view: View, headers: Record<string, string> = {}): Reply {
  return {
    status: view.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyOf(view.leadsTo ?? []),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      // Unlike `no-referrer`, this lets a form say that it comes from here.
      'Referrer-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
      ...(view.retryAfterSeconds !== undefined && {
        'Retry-After': String(Math.ceil(view.retryAfterSeconds)),
      }),
      ...headers,
    },
    body: documentOf(view).text,
    ownPolicy: true,
    // The address of such a page lets its holder act, so no page of another origin may read it.
    ownOrigins: true,
    secret: true,
  }
}

/** What a browser may do with a page: apply this style, and submit its forms. */
export function policyOf(leadsTo: readonly string[], { hash }: Sheet = shared): string {
  // A browser checks where a form leads against this, including redirects.
  const targets = ["'self'", ...leadsTo].join(' ')
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The frame that all pages share. */
export function documentOf(
  { title, main, notice, nav, links = [] }: View,
  { markup }: Sheet = shared,
): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} - Abode</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${links.map(
          ({ rel, href, type }) => html`<link rel="${rel}" href="${href}" type="${type}" />`,
        )}
        ${markup}
      </head>
      <body>
        ${notice !== undefined && html`<p class="notice" role="note">${notice}</p>`}
        <header class="top">
          <span>Abode</span>
          ${nav}
        </header>
        <main>
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html> `
}
