import {
  brokenCursor,
  openCursor,
  pageCharactersAtMost,
  sealCursor,
  type Order,
} from '#src/core/page.ts'
import type { Row, Store } from '#src/ports/store.ts'
import type { Place, Section } from './sections.ts'
import { sections } from './table.ts'

/** Agents or runs that are looked into for one page: most have nothing of most kinds. */
const holdersAtOnce = 200

/** One page: the texts of its lines, and the cursor of the next. */
export interface ExportPage {
  texts: string[]
  next: string | null
}

/**
 * One page of everything that an account has, as lines of a kind, a holder and a document. It holds a page in memory,
 * however much there is.
 * @throws Refusal `cursor_invalid`
 */
export async function exportPage(
  store: Store,
  accountId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ExportPage> {
  const order: Order = { list: `export ${accountId}`, by: 'id', direction: 1 }
  let at = cursor === undefined ? { section: 0, holder: '', row: '' } : placeIn(order, cursor)
  const texts: string[] = []
  let characters = 0
  for (let looks = 0; looks < holdersAtOnce; looks++) {
    const section = sections[at.section]
    if (!section) return { texts, next: null }
    const room = limit - texts.length
    if (room === 0 || characters >= pageCharactersAtMost / 2) break
    const { of, rows, next } = await section.read(store, accountId, at, room)
    const added = rows.map((row) => lineOf(section, of, row))
    texts.push(...added)
    characters += added.reduce((sum, { length }) => sum + length, 0)
    at = next ? { section: at.section, ...next } : { section: at.section + 1, holder: '', row: '' }
  }
  const { section, holder, row } = at
  return { texts, next: sealCursor(order, [section, JSON.stringify([holder, row])]) }
}

function lineOf({ kind, shown }: Section, of: string | null, { text }: Row): string {
  // The server wrote the stored documents itself.
  const document = shown ? JSON.stringify(shown(JSON.parse(text) as Record<string, unknown>)) : text
  return `{"kind":${JSON.stringify(kind)},"of":${JSON.stringify(of)},"document":${document}}`
}

function placeIn(order: Order, cursor: string): Place & { section: number } {
  const [section, inside] = openCursor(order, cursor)
  try {
    const place: unknown = JSON.parse(inside)
    if (typeof section === 'number' && Array.isArray(place)) {
      const [holder, row] = place as unknown[]
      if (typeof holder === 'string' && typeof row === 'string') return { section, holder, row }
    }
  } catch {
    // A cursor is what a caller sends.
  }
  return brokenCursor()
}
