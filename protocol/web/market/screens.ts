import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { publicAgentScreen } from './agent.ts'
import { directoryScreen } from './directory.ts'
import { orderScreen } from './order.ts'
import { directoryFolder, directoryList } from './paths.ts'
import { serviceScreen } from './service.ts'
import { directoryListScreen } from './sitemap.ts'

/** Of the longest path with two ids, encoded. */
const charactersAtMost = 800
const named = /^\/(?:directory\/([^/]+)(?:\/([^/]+))?|order\/([\w-]+))$/

/** The pages of the directory and of orders at their paths; undefined for any other path. */
export function marketScreenAt(terms: Terms, path: string): Screen | undefined {
  if (path === directoryFolder) return directoryScreen(terms)
  if (path === directoryList) return directoryListScreen(terms)
  if (path.length > charactersAtMost) return undefined
  const [, agent, service, order] = named.exec(path) ?? []
  if (order !== undefined) return orderScreen(terms, order)
  const [id, taskId] = [decoded(agent), decoded(service)]
  if (id === undefined) return undefined
  if (service === undefined) return publicAgentScreen(terms, id)
  return taskId === undefined ? undefined : serviceScreen(terms, id, taskId)
}

/** A step of a path as it was before it was encoded; undefined where it is none. */
function decoded(step: string | undefined): string | undefined {
  try {
    return step === undefined ? undefined : decodeURIComponent(step)
  } catch {
    return undefined
  }
}
