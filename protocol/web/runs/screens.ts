import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { consoleScreen } from '../console/screen.ts'
import { pathsHere, runIn } from '../paths.ts'
import { runsScreen } from './list.ts'
import { runScreen } from './run.ts'

/** The pages of runs at their paths; undefined for any other path. */
export function runScreenAt(terms: Terms, path: string): Screen | undefined {
  if (path === pathsHere.runs) return consoleScreen(terms, runsScreen(terms))
  const id = runIn(path)
  return id === undefined ? undefined : consoleScreen(terms, runScreen(terms, id))
}
