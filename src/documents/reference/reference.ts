import type { Chapter } from './chapter.ts'
import type { View } from '#src/core/html/view.ts'
import type { OperationFacts } from '#src/core/operation-facts.ts'
import { groupsOf } from '../groups.ts'
import type { OpenapiDocument } from '../openapi-document.ts'
import { contractOf, entryOf } from './entries.ts'
import { foundIn } from './find.ts'
import { groupPage, indexPage, missingPage } from './pages.ts'
import { rowsOf } from './rows.ts'
import { shapesOf } from './shapes.ts'
import { groupText, indexText } from './texts.ts'

/** The reference of a catalog, as pages for people and as Markdown. */
export interface Reference {
  /** @param sought words to search operations by; null shows all */
  index(sought: string | null): View
  indexText(): string
  group(slug: string): View
  groupText(slug: string): string
}

/** @param document the OpenAPI document of the same catalog */
export function referenceOf(
  catalog: readonly OperationFacts[],
  document: OpenapiDocument,
  publicUrl: string,
): Reference {
  const contract = contractOf(document)
  const chapters = groupsOf(catalog).map(({ operations, ...about }): Chapter => {
    const entries = operations.map((op) => entryOf(op, contract, publicUrl))
    const rows = entries.flatMap(({ members, answer }) => [...members, ...answer.members])
    const shapes = shapesOf(rows, contract.components.schemas).map((name) => {
      const schema = contract.components.schemas[name] ?? {}
      return { name, description: schema.description, rows: rowsOf(schema, 'shape') }
    })
    return { ...about, entries, shapes }
  })
  const bySlug = new Map(chapters.map((chapter) => [chapter.slug, chapter]))
  // Large, and the same for every reader.
  const shown = new Map<string, View>()
  const all = indexPage(chapters, undefined)
  return {
    index(sought) {
      if (sought === null) return all
      return indexPage(chapters, { sought, found: foundIn(chapters, sought) })
    },
    indexText: () => indexText(chapters, publicUrl),
    group(slug) {
      const chapter = bySlug.get(slug)
      if (!chapter) return missingPage
      const view = shown.get(slug) ?? groupPage(chapter)
      shown.set(slug, view)
      return view
    },
    groupText(slug) {
      const chapter = bySlug.get(slug)
      return chapter ? groupText(chapter, publicUrl) : ''
    },
  }
}
