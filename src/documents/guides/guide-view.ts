import { html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { addressOfGuide } from './guides.ts'
import { markupOf } from './markdown.ts'

/**
 * The page of a guide, or of the index.
 * @param markdown as it is served
 */
export function guideView(
  { title, markdown }: { title: string; markdown: string },
  address: string,
  publicUrl: string,
): View {
  const copy = `${address}.md`
  const isIndex = address === addressOfGuide()
  const main = html`<nav class="path" aria-label="Guides">
      <p>
        ${!isIndex && html`<a href="${addressOfGuide()}">All guides</a> · `}
        <a href="${copy}" rel="alternate" type="text/markdown">This page as Markdown</a>
      </p>
    </nav>
    ${markupOf(withoutTitle(markdown), (target) => hrefOf(target, publicUrl))}`
  return {
    status: 200,
    title,
    main,
    links: [{ rel: 'alternate', href: copy, type: 'text/markdown' }],
  }
}

function withoutTitle(markdown: string): string {
  return markdown.replace(/^# .+\n/, '')
}

/** From page to page, where the Markdown leads from copy to copy. */
function hrefOf(target: string, publicUrl: string): string {
  const path = target.startsWith(`${publicUrl}/`) ? target.slice(publicUrl.length) : target
  return path.replace(/^(\/guides(?:\/[\w-]+)?)\.md(?=#|$)/, '$1')
}
