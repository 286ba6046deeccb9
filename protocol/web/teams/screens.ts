import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { consoleScreen, type ConsoleScreen } from '../console/screen.ts'
import { teamIn } from '../paths.ts'
import { deliveriesScreen } from './deliveries.ts'
import { planScreen } from './plan.ts'
import { revisionsScreen } from './revisions.ts'
import { teamScreen } from './team.ts'

type Page = (terms: Terms, id: string) => ConsoleScreen

const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['', teamScreen],
  ['plan', planScreen],
  ['revisions', revisionsScreen],
  ['deliveries', deliveriesScreen],
])

/** The pages of a team at their paths; undefined for any other path. */
export function teamScreenAt(terms: Terms, path: string): Screen | undefined {
  const [id, part = '', ...more] = teamIn(path) ?? []
  if (id === undefined || more.length > 0) return undefined
  const page = pages.get(part)
  return page && consoleScreen(terms, page(terms, id))
}
