import MarkdownIt, { type Token } from 'markdown-it'
import { html, Html } from '#src/core/html/html.ts'

const library = new MarkdownIt({ html: false, linkify: true })
// Lines that are moved in belong to what stands before them; pictures of others are not shown.
library.disable(['code', 'image'])
library.validateLink = isHarmless
library.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
for (const schema of ['ftp:', 'mailto:', '//']) library.linkify.add(schema, null)
// Who reads with the keyboard scrolls what is wider than the page.
library.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
library.renderer.rules.table_close = () => '</table></div>'
library.renderer.rules.fence = (tokens, at) => {
  const code = tokens[at]?.content.replace(/\n$/, '')
  return html`<pre tabindex="0"><code>${code}</code></pre>`.text
}

/** To pages of the web, to an address of mail, or within the server. */
function isHarmless(target: string): boolean {
  return /^(?:https?:|mailto:)/i.test(target) || !/^[^/?#]*:/.test(target)
}

/**
 * Markup of Markdown: whatever is no Markdown is text, HTML too.
 * @param hrefOf where a link leads
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

/** As links to sections are spelled. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}
