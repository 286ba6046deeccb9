import { html, Html } from '#src/core/html/html.ts'
import { withHiddenShown } from '#src/core/text/hidden-characters.ts'
import type { Slices } from '#src/core/turns/slices.ts'
import { markdownLibrary, withPlainCells, type Token } from './library.ts'
import { piecesOf } from './pieces.ts'

// A definition could be used a thousand times, and make a short text a long page.
const library = markdownLibrary({
  without: ['reference'],
  isHarmless: (target) => /^(?:https?:\/\/|mailto:)/i.test(target),
  keepsBreaks: true,
  depthAtMost: 20,
})
const { rules } = library.renderer
const shown = (text: string): string => html`${withHiddenShown(text)}`.text
rules.text = (tokens, at) => shown(tokens[at]?.content ?? '')
rules.code_inline = (tokens, at) => `<code>${shown(tokens[at]?.content ?? '')}</code>`
rules.code_block = rules.fence = (tokens, at) => {
  const code = shown((tokens[at]?.content ?? '').replace(/\n$/, ''))
  return `<pre tabindex="0"><code>${code}</code></pre>`
}
rules.image = (tokens, at) => pictureOf(tokens[at])

/** What a link of others says to who follows it. */
const rel = 'nofollow ugc noopener'
/** A heading of a post stands below that of the post itself. */
const headings: Readonly<Record<string, string>> = {
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
}
/** Reading so many characters takes about as long as a unit of work may. */
const charactersAUnit = 16

/**
 * What others wrote in Markdown, as markup that does nothing: no HTML, no pictures (a link to each in their place), links
 * to the web and to mail alone. A piece that would take long to read is shown as it was written.
 * @param slices rests between two pieces, where many are read one after the other
 */
export async function markupOfPost(markdown: string, slices: Slices): Promise<Html> {
  let markup = ''
  for (const { text, isReadable } of piecesOf(markdown)) {
    if (slices.isSpent(Math.ceil(text.length / charactersAUnit))) await slices.rest()
    markup += isReadable ? read(text) : html`<div class="said">${withHiddenShown(text)}</div>`.text
  }
  return new Html(`<div class="post" dir="auto">${markup}</div>`)
}

function read(markdown: string): string {
  const tokens = library.parse(markdown, {})
  for (const token of tokens) {
    withPlainCells(token)
    if (token.type.startsWith('heading_')) token.tag = headings[token.tag] ?? token.tag
    withInertLinks(token.children ?? [])
  }
  return library.renderer.render(tokens, library.options, {})
}

function withInertLinks(tokens: readonly Token[]): void {
  let open = 0
  for (const token of tokens) {
    if (token.type === 'link_open') {
      open += 1
      token.attrs = [
        ['href', token.attrGet('href') ?? ''],
        ['rel', rel],
      ]
    } else if (token.type === 'link_close') open -= 1
    // A link in a link would be none.
    else if (token.type === 'image' && open > 0) token.attrs = null
  }
}

/** A picture of others is not loaded: it would tell them who reads. */
function pictureOf(token: Token | undefined): string {
  const words = withHiddenShown(token?.content ?? '')
  const source = token?.attrGet('src')
  const label = html`Picture${words !== '' && `: ${words}`}`
  return source ? html`<a href="${source}" rel="${rel}">${label}</a>`.text : label.text
}
