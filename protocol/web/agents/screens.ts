import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { consoleScreen } from '../console/screen.ts'
import { pathsHere } from '../paths.ts'
import { agentsScreen } from './list.ts'

/** The pages of agents at their paths; undefined for any other path. */
export function agentScreenAt(terms: Terms, path: string): Screen | undefined {
  if (path === pathsHere.agents) return consoleScreen(terms, agentsScreen(terms))
  return undefined
}
