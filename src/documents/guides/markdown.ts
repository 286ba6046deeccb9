import { html, Html } from '#src/core/html/html.ts'
import { markdownLibrary, withPlainCells, type Token } from '../markdown/library.ts'

// Indented lines belong to what precedes them; images of others are not shown.
const library = markdownLibrary({ without: ['code', 'image'], isHarmless })
library.renderer.rules.fence = (tokens, at) => {
  const code = tokens[at]?.content.replace(/\n$/, '')
  return html`<pre tabindex="0"><code>${code}</code></pre>`.text
}

/** To pages of the web, to an e-mail address, or within the server. */
function isHarmless(target: string): boolean {
  return /^(?:https?:|mailto:)/i.test(target) || !/^[^/?#]*:/.test(target)
}

/**
 * HTML of Markdown: everything that is not Markdown is text, HTML included.
 * @param hrefOf the address of a link
 */
export function markupOf(markdown: string, hrefOf = (target: string) => target): Html {
  const tokens = library.parse(markdown, {})
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', anchorOf(tokens[at + 1]?.content ?? ''))
    withPlainCells(token)
    for (const inner of token.children ?? []) if (inner.type === 'link_open') lead(inner, hrefOf)
  }
  return new Html(library.renderer.render(tokens, library.options, {}))
}

function lead(link: Token, hrefOf: (target: string) => string): void {
  link.attrs = [['href', hrefOf(String(link.attrGet('href') ?? ''))]]
}

/** The form of links to sections. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}
