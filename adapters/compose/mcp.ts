import { catalog as wholeCatalog } from '#src/catalog.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import type { MadeTools } from '#protocol/mcp/descriptor.ts'
import type { Ports } from '#src/core/context.ts'
import { inPortions } from '#src/core/turns/portions.ts'
import { guideOf, guidesOf, type Guide, type GuidedServer } from '#src/documents/guides/guides.ts'
import type { PublishedDocument } from '#protocol/mcp/prompts/guidance.ts'
import { guideText } from './published.ts'
import { readGuide } from './guide-files.ts'
import { viewDocuments } from './views.ts'

/** The tools of this catalog, if the build has them: it knows no settings. */
export async function toolsOfBuild(
  catalog: readonly OperationFacts[],
): Promise<MadeTools | undefined> {
  const isWhole =
    catalog.length === wholeCatalog.length && catalog.every((op, at) => op === wholeCatalog[at])
  if (!isWhole) return undefined
  const { madeTools } = await import('./made-tools.ts')
  // The build made them by the same code.
  return madeTools === '' ? undefined : (JSON.parse(madeTools) as MadeTools)
}

/** Published documents that can also be read over MCP: the contract and the guides. */
export async function publishedDocuments({
  catalog,
  settings,
  log,
  clock,
}: Pick<Ports, 'catalog' | 'settings' | 'log' | 'clock'>): Promise<PublishedDocument[]> {
  const guides = await Promise.allSettled(
    guidesOf(settings).map(async (name) => guideOf(name, await readGuide(name))),
  )
  for (const guide of guides) {
    // A guide that fails to load must not keep the door from opening.
    if (guide.status === 'rejected') log.warn('a guide cannot be read', { cause: guide.reason })
  }
  const { publicUrl } = settings
  return [
    {
      uri: 'abode://openapi',
      name: 'openapi',
      title: 'The OpenAPI document',
      description: `The whole contract of REST, the same as ${publicUrl}/openapi.agent.json; large.`,
      mimeType: 'application/json',
      async text() {
        const { openapiSteps } = await import('#src/documents/openapi.ts')
        return JSON.stringify(await inPortions(openapiSteps(catalog, publicUrl), clock))
      },
    },
    ...guides.flatMap((guide) =>
      guide.status === 'fulfilled' ? [guideDocument(guide.value, settings)] : [],
    ),
    ...viewDocuments(catalog, publicUrl),
  ]
}

function guideDocument({ name, title, summary }: Guide, server: GuidedServer): PublishedDocument {
  return {
    uri: `abode://guides/${name}`,
    name: `guide-${name}`,
    title,
    description: summary,
    mimeType: 'text/markdown',
    text: () => guideText(name, server),
  }
}
