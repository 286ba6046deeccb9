import { createHash } from 'node:crypto'
import { Html, html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import type { Reply } from '../reply.ts'
import { style } from './style.ts'

// As it stands: its hash is told to the browser.
const sheet = new Html(`<style>${style}</style>`)
const styleHash = createHash('sha256').update(style).digest('base64')

/** A page as it is sent: nothing of it is run, kept, framed, or told to where it leads. */
export function pageReplyOf(view: View, headers: Record<string, string> = {}): Reply {
  return {
    status: view.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policyOf(view.leadsTo ?? []),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Robots-Tag': 'noindex',
      ...headers,
    },
    body: documentOf(view).text,
    ownPolicy: true,
    // Who has the address of such a page may act on it: no page of others reads it.
    ownOrigins: true,
    secret: true,
  }
}

function policyOf(leadsTo: readonly string[]): string {
  // A browser holds what a form leads to against this, redirects too.
  const targets = ["'self'", ...leadsTo].join(' ')
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function documentOf({ title, main, notice }: View): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} - Abode</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${sheet}
      </head>
      <body>
        ${notice !== undefined && html`<p class="notice" role="note">${notice}</p>`}
        <header class="top">Abode</header>
        <main>
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html> `
}
