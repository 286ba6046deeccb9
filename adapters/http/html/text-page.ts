import { pathBelow } from '#src/core/html/below.ts'
import { html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { textTag } from '../conditional.ts'
import { freshSeconds, type Page } from '../page.ts'
import type { Reply } from '../reply.ts'
import { documentOf, policyOf } from './layout.ts'
import { readingSheet } from './sheet.ts'

/**
 * A page that anyone may read, cache and index: the same for all readers, with an optional part
 * selected by its query. Its links are paths of this service, prefixed with the path of the public URL.
 */
export function readingPage(
  show: (query: URLSearchParams) => Promise<View>,
  publicUrl: () => string,
): Page {
  return {
    methods: ['GET', 'HEAD'],
    async reply({ querystring }) {
      return readingReplyOf(await show(new URLSearchParams(querystring)), publicUrl())
    },
  }
}

// Quotation marks in texts are escaped, so these matches are attributes.
const ownLink = / (?:href|action)="(?=\/)/g

function withLinksBelow(publicUrl: string, page: string): string {
  const start = html`${pathBelow(publicUrl, '')}`.text
  return start === '' ? page : page.replaceAll(ownLink, (found) => found + start)
}

function readingReplyOf(view: View, publicUrl: string): Reply {
  const body = withLinksBelow(publicUrl, documentOf(view, { sheet: readingSheet, root: '' }).text)
  return {
    status: view.status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': `public, max-age=${freshSeconds}`,
      'Content-Security-Policy': policyOf({}),
      'Access-Control-Allow-Origin': '*',
    },
    body,
    tag: textTag(body),
    ownPolicy: true,
    ownOrigins: true,
  }
}
