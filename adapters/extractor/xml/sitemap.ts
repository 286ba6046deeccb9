import { ExtractFailure } from '#src/ports/extractor.ts'
import { linksAtMost } from '../limits.ts'
import type { Reader } from '../output.ts'
import { localName, xmlEvents } from './events.ts'

/** The addresses of a sitemap, of an index of sitemaps, or of a text with one on each line. */
export const readSitemap: Reader<string> = (text, { url }) => {
  const isXml = /^\s*</.test(text.slice(0, 10_000))
  const links = new Set<string>()
  const add = (said: string): void => {
    const trimmed = said.trim()
    if (trimmed === '' || trimmed.length > 4_096) return
    const address = URL.parse(trimmed, isXml ? (url ?? undefined) : undefined)
    if (address && /^https?:$/.test(address.protocol)) links.add(address.href)
    if (links.size <= linksAtMost) return
    throw new ExtractFailure('too_large', `It lists more than ${linksAtMost} pages.`)
  }
  const root = isXml ? addLocations(text, add) : addLines(text, add)
  if (links.size === 0) {
    throw new ExtractFailure(...noneOf(root))
  }
  const linksTo = root === 'sitemapindex' ? 'sitemaps' : 'pages'
  return {
    title: null,
    mediaType: isXml ? 'application/xml' : 'text/plain',
    links: [...links],
    linksTo,
  }
}

function noneOf(root: string | undefined): ['no_text' | 'type_unsupported', string] {
  return root === 'urlset' || root === 'sitemapindex'
    ? ['no_text', 'It lists no page.']
    : ['type_unsupported', 'It is no sitemap.']
}

const parents = new Set(['url', 'sitemap'])

/** @returns the name of its root */
function addLocations(xml: string, add: (said: string) => void): string | undefined {
  const open: string[] = []
  let root: string | undefined
  let location: string | undefined
  for (const event of xmlEvents(xml)) {
    if (event.kind === 'text') {
      if (location !== undefined) location += event.text
    } else if (event.kind === 'open') {
      const name = localName(event.name)
      root ??= name
      if (root !== 'urlset' && root !== 'sitemapindex') return root
      // Pictures and videos of a page have locations of their own.
      if (name === 'loc' && parents.has(open.at(-1) ?? '')) location = ''
      open.push(name)
    } else {
      open.pop()
      if (location !== undefined) add(location)
      location = undefined
    }
  }
  return root
}

function addLines(text: string, add: (said: string) => void): undefined {
  for (const line of text.split('\n', linksAtMost + 1_000)) if (/^\s*https?:/i.test(line)) add(line)
}
