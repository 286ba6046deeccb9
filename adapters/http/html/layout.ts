import { pathBelow } from '#src/core/html/below.ts'
import { Html, html } from '#src/core/html/html.ts'
import { mark } from '#src/core/html/mark.ts'
import type { View } from '#src/core/html/view.ts'
import { textTag } from '../conditional.ts'
import type { Reply } from '../reply.ts'
import { iconPath, passkeyPath, pushPath, scriptPath } from './assets.ts'
import { hrefOf, sheetFor, type Sheet } from './sheet.ts'

/**
 * A page as it is sent: not framed, and its address not disclosed to other sites; not cached or listed either, unless it
 * is the same for everyone.
 */
export function pageReplyOf(
  view: View,
  publicUrl: string,
  headers: Record<string, string> = {},
): Reply {
  const sheet = sheetFor(view.look)
  const { shared } = view
  const body = documentOf(view, { sheet, root: pathBelow(publicUrl, '') }).text
  return {
    status: view.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': shared ? `public, max-age=${shared.freshSeconds}` : 'no-store',
      'Content-Security-Policy': policyOf(view),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      // Unlike `no-referrer`, this lets a form say that it comes from here.
      'Referrer-Policy': 'same-origin',
      ...(!shared?.isListed && { 'X-Robots-Tag': 'noindex' }),
      ...(view.retryAfterSeconds !== undefined && {
        'Retry-After': String(Math.ceil(view.retryAfterSeconds)),
      }),
      ...headers,
    },
    body,
    ...(shared && { tag: textTag(body) }),
    ownPolicy: true,
    // The address of such a page lets its holder act, so no page of another origin may read it.
    ownOrigins: true,
    secret: shared === undefined,
  }
}

/** What a browser may do with a page: apply its style, submit its forms, and run our scripts where it has any. */
export function policyOf({
  leadsTo = [],
  look,
  asksDevices,
  subscribes,
}: Pick<View, 'leadsTo' | 'look' | 'asksDevices' | 'subscribes'>): string {
  // A browser checks where a form leads against this, including redirects.
  const targets = ["'self'", ...leadsTo].join(' ')
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(look?.isLive || asksDevices || subscribes
      ? ["script-src 'self'", "connect-src 'self'"]
      : []),
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** What a page is made with. */
interface Frame {
  sheet: Sheet
  /** The path below which the service is, without a final slash. */
  root: string
}

/** The frame that all pages share. */
export function documentOf(view: View, { sheet, root }: Frame): Html {
  const { title, heading, main, notice, nav, look, description, data, links = [] } = view
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title} - Abode</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${root}${iconPath}" type="image/svg+xml" />
        ${links.map(linkOf)}
        ${description !== undefined && html`<meta name="description" content="${description}" />`}
        <link rel="stylesheet" href="${root}${hrefOf(sheet)}" />
        ${data && dataOf(data)} ${look?.isLive && scriptOf(root)}
        ${view.asksDevices && html`<script src="${root}${passkeyPath}" defer>${endOfScript}`}
        ${view.subscribes && html`<script src="${root}${pushPath}" defer>${endOfScript}`}
      </head>
      <body class="${look?.name ?? 'plain'}">
        <a class="skip" href="#main">To the content</a>
        ${notice !== undefined && html`<p class="notice" role="note">${notice}</p>`}
        <header class="top">
          <a class="mark" href="${root}/">${mark}<span>Abode</span></a>
          ${nav ?? siteNav(root)}
        </header>
        <main id="main">${heading !== null && html`<h1>${heading ?? title}</h1>`} ${main}</main>
        ${footer(root)}
      </body>
    </html> `
}

function linkOf(link: NonNullable<View['links']>[number]): Html {
  const attributes = Object.entries(link).map(([name, value]) => html` ${name}="${value}"`)
  return html`<link${attributes} />`
}

/**
 * Without code in attributes, and without a style that the policy would refuse. What a reader has opened stays open
 * when a part is read again.
 */
const scriptSettings = JSON.stringify({
  includeIndicatorCSS: false,
  history: false,
  morphIgnore: ['data-htmx-powered', 'open'],
})

/** Apart, as the bundler would replace a template that holds it by a call of a package that is not installed. */
const endOfScript = new Html('</script>')

function scriptOf(root: string): Html {
  return html`<meta name="htmx-config" content="${scriptSettings}" />
    <script src="${root}${scriptPath}" defer>${endOfScript}`
}

/** What programs read of a page. It is data, which no browser runs; no sign in it can end it. */
function dataOf(data: object): Html {
  const text = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return html`<script type="application/ld+json">
    ${new Html(text)}${endOfScript}
  `
}

/** The way from a page of a visitor who may not be signed in. */
function siteNav(root: string): Html {
  return html`<nav aria-label="Service">
    <a href="${root}/guides">Guides</a>
    <a href="${root}/sign-in">Sign in</a>
  </nav>`
}

function footer(root: string): Html {
  return html`<footer class="foot">
    <nav aria-label="About this service">
      <a href="${root}/">Start</a>
      <a href="${root}/directory">Directory</a>
      <a href="${root}/guides">Guides</a>
      <a href="${root}/api-reference">API reference</a>
      <a href="${root}/skill.md">For agents</a>
    </nav>
  </footer>`
}
