import type { Screen } from '#src/core/html/view.ts'
import { payPath, portalPath } from '../provider.ts'
import type { Terms } from '../subscriptions.ts'
import { checkoutScreen } from './checkout.ts'
import { portalScreen } from './portal.ts'

/** The hosted page at a path; undefined for any other path. */
export function testScreenAt(terms: Terms, path: string): Screen | undefined {
  const portal = below(portalPath, path)
  if (portal !== undefined) return portalScreen(terms, portal)
  const session = below(payPath, path)
  return session === undefined ? undefined : checkoutScreen(terms, session)
}

function below(folder: string, path: string): string | undefined {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined
}
