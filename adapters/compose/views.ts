import type { ViewName } from '#src/core/html/view-names.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { views } from '#src/views/views.ts'
import { appMeta, appMimeType, viewUri } from '#protocol/mcp/apps/extension.ts'
import type { PublishedDocument } from '#protocol/mcp/prompts/guidance.ts'

/** The views of what the operations of a catalog answer, as documents that hosts show. */
export function viewDocuments(
  catalog: readonly Pick<OperationFacts, 'view'>[],
  publicUrl: string,
): PublishedDocument[] {
  const shown = new Set(catalog.map(({ view }) => view))
  return Object.values(views)
    .filter(({ name }) => shown.has(name))
    .map(({ name, title, description }) => ({
      uri: viewUri(name),
      name: `view-${name}`,
      title,
      description,
      mimeType: appMimeType,
      meta: appMeta,
      text: () => viewText(name, publicUrl),
    }))
}

/** The document of a view. Its script is large, and loaded when the first one is read. */
export async function viewText(name: ViewName, publicUrl: string): Promise<string> {
  const [{ appDocument }, { default: made }] = await Promise.all([
    import('#protocol/mcp/apps/document.ts'),
    import('#protocol/mcp/apps/script.json', { with: { type: 'json' } }),
  ])
  return appDocument(views[name], { script: made.script, publicUrl })
}
