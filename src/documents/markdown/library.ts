import MarkdownIt, { type Token } from 'markdown-it'

/** A piece of Markdown as the library has read it. */
export type { Token }

/** How Markdown is read. */
interface Reading {
  /** Rules that are left out. */
  without: readonly string[]
  /** Whether a page may lead there. */
  isHarmless: (target: string) => boolean
  /** Whether a line break is one on the page too. */
  keepsBreaks?: boolean
  /** How deep quotes and lists may nest. */
  depthAtMost?: number
}

/**
 * Reads Markdown: everything that is not Markdown is text, HTML included. Addresses become links only where they are
 * written whole, with `http:` or `https:`.
 */
export function markdownLibrary(reading: Reading): InstanceType<typeof MarkdownIt> {
  const { without, isHarmless, keepsBreaks = false, depthAtMost = 100 } = reading
  const library = new MarkdownIt({
    html: false,
    linkify: true,
    breaks: keepsBreaks,
    maxNesting: depthAtMost,
  })
  library.disable([...without])
  library.validateLink = isHarmless
  library.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  for (const schema of ['ftp:', 'mailto:', '//']) library.linkify.add(schema, null)
  // Keyboard users can scroll what is wider than the page.
  library.renderer.rules.table_open = () => '<div class="scroll" tabindex="0"><table>'
  library.renderer.rules.table_close = () => '</table></div>'
  return library
}

/** Cells without a style of their own, which pages do not allow, and heads that say of what they are. */
export function withPlainCells(token: Token): void {
  if (token.type === 'td_open') token.attrs = null
  if (token.type === 'th_open') token.attrs = [['scope', 'col']]
}
