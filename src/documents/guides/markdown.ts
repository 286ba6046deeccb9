import MarkdownIt, { type Token } from 'markdown-it'
import { html, Html } from '#src/core/html/html.ts'

const library = new MarkdownIt({ html: false, linkify: true })
// Indented lines belong to what precedes them; images of others are not shown.
library.disable(['code', 'image'])
library.validateLink = isHarmless
library.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
for (const schema of ['ftp:', 'mailto:', '//']) library.linkify.add(schema, null)
// Keyboard users can scroll what is wider than the page.
library.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
library.renderer.rules.table_close = () => '</table></div>'
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
    if (token.type === 'td_open') token.attrs = null
    if (token.type === 'th_open') token.attrs = [['scope', 'col']]
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
