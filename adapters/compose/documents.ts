import { clientDocument, clientDocumentPath } from '#src/agents/connections/client.ts'
import type { Ports } from '#src/core/context.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { pathBelow } from '#src/core/html/below.ts'
import type { OpenapiDocument } from '#src/documents/openapi-document.ts'
import { groupsOf } from '#src/documents/groups.ts'
import { looks } from '#protocol/web/looks.ts'
import { indexOf } from './about.ts'
import { skillOfCommons } from './published.ts'
import type { Doors } from './doors.ts'
import { guidePages } from './guides.ts'
import { readingPage } from '#adapters/http/html/text-page.ts'
import { assetPages } from '#adapters/http/html/assets.ts'
import { sheetPages } from '#adapters/http/html/sheet.ts'
import { cardPage, documentPage, redirectPage, type Page } from '#adapters/http/page.ts'

const markdown = 'text/markdown; charset=utf-8'
const text = 'text/plain; charset=utf-8'
const xml = 'application/xml; charset=utf-8'

/** What programs get at the root address: the contract, and where to read it. */
const toldAtFirst = [
  ['/openapi.agent.json', 'rel="service-desc"; type="application/json"'],
  ['/api-reference', 'rel="service-doc"; type="text/html"'],
  ['/llms.txt', 'rel="service-doc"; type="text/plain"'],
] as const

/**
 * Every published document, by path. Each is made when first requested, and is the same after every
 * start.
 */
export function documentPages(ports: Ports, doors: Doors): Map<string, Page> {
  const { catalog, settings, clock } = ports
  const base = () => settings.publicUrl
  const links = () => indexOf(settings).links
  const contract = once(async () => {
    const { openapiSteps } = await import('#src/documents/openapi.ts')
    const document = await inPortions(openapiSteps(catalog, base()), clock)
    // To write it as text takes as long as a portion.
    await turnOf(clock)
    return document
  })
  const pages = new Map<string, Page>([
    [
      '/',
      documentPage(
        async () => JSON.stringify(indexOf(settings)),
        undefined,
        () => ({
          Link: toldAtFirst
            .map(([path, about]) => `<${pathBelow(base(), path)}>; ${about}`)
            .join(', '),
        }),
      ),
    ],
    ['/openapi.agent.json', documentPage(async () => JSON.stringify(await contract()))],
    ...(settings.hasCommons ? commonsPages(ports) : []),
    [
      '/.well-known/agents.json',
      documentPage(async () => {
        const { agentsJson } = await import('#src/documents/agents-json.ts')
        return JSON.stringify(agentsJson(catalog, base(), links()))
      }),
    ],
    [
      '/.well-known/ai-plugin.json',
      documentPage(async () => {
        const { aiPlugin } = await import('#src/documents/ai-plugin.ts')
        return JSON.stringify(aiPlugin(catalog, base(), links()))
      }),
    ],
    [clientDocumentPath, documentPage(async () => JSON.stringify(clientDocument(settings)))],
    ['/docs', redirectPage(() => pathBelow(base(), '/guides'))],
    ...guidePages(ports),
    ...referencePages(ports, contract),
    ...cardPages(doors, settings.hasCommons),
    ...assetPages(),
    ...sheetPages(looks),
  ])
  for (const [path, page] of crawlerPages(base, settings.hasCommons, () => [...pages.keys()])) {
    pages.set(path, page)
  }
  return pages
}

/** The readable pages of the Commons, if it is on. */
function commonsPages(ports: Ports): [string, Page][] {
  const errors = async (): Promise<string> => {
    const { commonsErrorsPage } = await import('#src/documents/commons-errors.ts')
    return commonsErrorsPage(ports.catalog)
  }
  return [
    ['/commons/skill.md', documentPage(() => skillOfCommons(ports), markdown)],
    ['/commons/errors.md', documentPage(errors, markdown)],
  ]
}

/** The reference: an index and a page for each group, each also as Markdown. */
function referencePages(
  { catalog, settings }: Ports,
  contract: () => Promise<OpenapiDocument>,
): [string, Page][] {
  const reference = once(async () => {
    const { referenceOf } = await import('#src/documents/reference/reference.ts')
    return referenceOf(catalog, await contract(), settings.publicUrl)
  })
  const root = '/api-reference'
  const base = () => settings.publicUrl
  return [
    [root, readingPage(async (query) => (await reference()).index(query.get('q')), base)],
    [`${root}.md`, documentPage(async () => (await reference()).indexText(), markdown)],
    ...groupsOf(catalog).flatMap(({ slug }): [string, Page][] => [
      [`${root}/${slug}`, readingPage(async () => (await reference()).group(slug), base)],
      [
        `${root}/${slug}.md`,
        documentPage(async () => (await reference()).groupText(slug), markdown),
      ],
    ]),
  ]
}

/**
 * Cards of the doors, and the keys that sign them. The card at the well-known path is that of the
 * Commons.
 */
function cardPages(doors: Doors, hasCommons: boolean): [string, Page][] {
  const wellKnown = hasCommons ? doors.commonsA2a : doors.a2a
  const keys = async (): Promise<string> => JSON.stringify((await doors.a2a()).keySet())
  return [
    [
      '/.well-known/agent-card.json',
      cardPage(async (version) => (await wellKnown()).card(version)),
    ],
    [
      '/a2a/.well-known/agent-card.json',
      cardPage(async (version) => (await doors.a2a()).card(version)),
    ],
    ['/.well-known/jwks.json', documentPage(keys)],
  ]
}

/** @param published every document path; those for programs are left out of the list */
function crawlerPages(
  base: () => string,
  hasCommons: boolean,
  published: () => string[],
): [string, Page][] {
  const load = () => import('#src/documents/crawlers.ts')
  // Where there is a Commons, its own page leads to this list, and to its threads.
  const listPath = hasCommons ? '/sitemap-pages.xml' : '/sitemap.xml'
  const forReaders = (path: string) =>
    path !== '/docs' && !/^\/assets\/|\.(?:json|xml|txt|svg|ico)$/.test(path)
  return [
    ['/robots.txt', documentPage(async () => (await load()).robots(base(), hasCommons), text)],
    [
      listPath,
      documentPage(async () => (await load()).sitemap(base(), published().filter(forReaders)), xml),
    ],
  ]
}

/** Shares one promise among all callers; a failure is forgotten, so that the next call tries again. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined
  return () =>
    (kept ??= make().catch((cause: unknown) => {
      kept = undefined
      throw cause
    }))
}
