import { removeHidden, type Extent } from './hidden.ts'
import { isElement, nameOf, type PageDocument, type PageElement } from './dom.ts'
import { flattened } from './flatten.ts'
import { walk } from './walk.ts'
import { MarkdownWriter } from './markdown-writer.ts'

/** The content extracted from a page. */
export interface Page {
  title: string | null
  markdown: string
}

/** In larger pages the main part is not searched for: it would take too long. */
const searched: Extent = { elements: 15_000, depth: 200 }

const around = new Set(['nav', 'footer', 'aside'])

/**
 * The main part of a page as Markdown; if none stands out, everything except what surrounds the
 * content.
 */
export async function pageOf(html: string, url: string | null): Promise<Page> {
  const document = await documentOf(html)
  const base = baseOf(document, url)
  const named = document.querySelector('title')?.textContent ?? null
  const extent = removeHidden(document)
  // The search for the main part changes the page.
  const whole = (skipped?: ReadonlySet<string>): string => written(document, base, skipped)
  const isSmall = extent.elements <= searched.elements && extent.depth <= searched.depth
  const all = whole(around)
  const main = isSmall ? await mainOf(document, base) : undefined
  if (main && main.markdown.length * 20 >= all.length) {
    return { title: main.title || named, markdown: main.markdown }
  }
  return { title: named, markdown: all === '' ? whole() : all }
}

/** A piece of HTML as Markdown, without its hidden parts. */
export async function fragmentOf(html: string, url: string | null): Promise<string> {
  const document = await documentOf(html)
  removeHidden(document)
  return written(document, url)
}

async function documentOf(html: string): Promise<PageDocument> {
  const { parseHTML } = await import('linkedom')
  // A fragment without the frame of a page would have no body.
  const flat = flattened(html)
  const isPage = /<html[\s>]/i.test(flat.slice(0, 100_000))
  const framed = isPage ? flat : `<!doctype html><html><body>${flat}</body></html>`
  return parseHTML(framed).document
}

function baseOf(document: PageDocument, url: string | null): string | null {
  const said = document.querySelector('base')?.getAttribute('href')
  return (said ? URL.parse(said, url ?? undefined)?.href : undefined) ?? url
}

async function mainOf(document: PageDocument, base: string | null): Promise<Page | undefined> {
  const { DefuddleClass } = await import('defuddle/node')
  try {
    // What looks like a blog's decoration may be the content: a list of short lines.
    const options = { removeImages: true, useAsync: false, removeContentPatterns: false }
    const { title, content } = new DefuddleClass(document, {
      ...options,
      ...(base !== null && { url: base }),
    }).parse()
    const markdown = written(await documentOf(content), base)
    return markdown === '' ? undefined : { title, markdown }
  } catch {
    // The library cannot handle unusual pages; they can be read as a whole.
    return undefined
  }
}

function written(
  document: PageDocument,
  base: string | null,
  skipped: ReadonlySet<string> = new Set(),
): string {
  const writer = new MarkdownWriter(base)
  walk(document, {
    enter(node) {
      if (isElement(node)) return !isSkipped(node, skipped) && writer.enter(node)
      // Text and CDATA sections.
      if (node.nodeType === 3 || node.nodeType === 4) writer.text(node.nodeValue ?? '')
      return false
    },
    leave: (element) => writer.leave(element),
  })
  return writer.markdown()
}

function isSkipped(element: PageElement, skipped: ReadonlySet<string>): boolean {
  const name = nameOf(element)
  if (name === 'title' || name === 'style' || name === 'script') return true
  if (skipped.size === 0) return false
  return skipped.has(name) || element.getAttribute('role') === 'navigation'
}
