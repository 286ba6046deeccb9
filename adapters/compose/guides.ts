import type { Ports } from '#src/core/context.ts'
import { pathBelow } from '#src/core/html/below.ts'
import type { View } from '#src/core/html/view.ts'
import { doorNames, type DoorName } from '#src/documents/guides/call-lines.ts'
import { addressOfGuide, guideOf, guidesOf, servedMarkdown } from '#src/documents/guides/guides.ts'
import { skillOfCommons, guideText, readGuides, skillOfPlatform } from './published.ts'
import { readGuide } from './guide-files.ts'
import { readingPage } from '#adapters/http/html/text-page.ts'
import { documentPage, variedPage, type Page } from '#adapters/http/page.ts'

const markdown = 'text/markdown; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

/** The guides, and the entry pages for readers who know nothing else yet. */
export function guidePages(ports: Ports): [string, Page][] {
  const { settings } = ports
  return [
    ...['index', ...guidesOf(settings)].flatMap((name) => pagesOf(name, settings)),
    ['/skill.md', skillPage(ports)],
    ['/auth.md', documentPage(() => authOf(ports), markdown)],
    ['/llms.txt', documentPage(() => listOf(ports), plain)],
    ['/llms-full.txt', documentPage(() => everythingOf(ports), plain)],
  ]
}

/** The skill page, with `?door=` for one of its doors. */
function skillPage(ports: Ports): Page {
  const pageFor = (door?: DoorName): Page =>
    documentPage(() => skillOfPlatform(ports, door), markdown)
  return variedPage('door', new Map(doorNames.map((door) => [door, pageFor(door)])), pageFor())
}

/** A guide, and its copy as Markdown; each links to the other. */
function pagesOf(name: string, settings: Ports['settings']): [string, Page][] {
  const base = () => settings.publicUrl
  const address = addressOfGuide(name === 'index' ? undefined : name)
  let kept: Promise<View> | undefined
  const view = async (): Promise<View> => {
    const { guideView } = await import('#src/documents/guides/guide-view.ts')
    const { title, source } = guideOf(name, await readGuide(name))
    const text = servedMarkdown(source, settings)
    return guideView({ title, markdown: text }, address, base())
  }
  const copy = documentPage(
    () => guideText(name, settings),
    markdown,
    () => ({
      Link: `<${pathBelow(base(), address)}>; rel="alternate"; type="text/html"`,
    }),
  )
  return [
    [address, readingPage(() => (kept ??= view()), base)],
    [`${address}.md`, copy],
  ]
}

async function authOf({ catalog, settings }: Ports): Promise<string> {
  const { authPage } = await import('#src/documents/guides/auth-page.ts')
  return authPage(catalog, settings)
}

async function listOf({ catalog, settings }: Ports): Promise<string> {
  const { llmsText } = await import('#src/documents/guides/llms.ts')
  return llmsText({ catalog, guides: await readGuides(settings), publicUrl: settings.publicUrl })
}

async function everythingOf(ports: Ports): Promise<string> {
  const { llmsFullText } = await import('#src/documents/guides/llms.ts')
  const { publicUrl } = ports.settings
  const pages = [
    { path: '/skill.md', text: await skillOfPlatform(ports) },
    { path: '/auth.md', text: await authOf(ports) },
  ]
  for (const name of guidesOf(ports.settings)) {
    pages.push({ path: `${addressOfGuide(name)}.md`, text: await guideText(name, ports.settings) })
  }
  if (ports.settings.hasCommons) {
    pages.push({ path: '/commons/skill.md', text: await skillOfCommons(ports) })
  }
  return llmsFullText(pages, publicUrl)
}
