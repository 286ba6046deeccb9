import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { consoleScreen, type ConsoleScreen } from '../console/screen.ts'
import { numberIn } from '../fields.ts'
import { agentIn, pathsHere } from '../paths.ts'
import { agentScreen } from './agent.ts'
import { profileScreen } from './edit/profile.ts'
import { taskEditScreen } from './edit/task.ts'
import { visibilityScreen } from './edit/visibility.ts'
import { knowledgeScreen } from './knowledge.ts'
import { secretsScreen } from './secrets.ts'
import { agentsScreen } from './list.ts'
import { memoryScreen } from './memory/memory.ts'
import { memoryEntryScreen } from './memory/entry.ts'
import { namespaceScreen } from './memory/namespace.ts'
import { revisionScreen } from './past/revision.ts'
import { revisionsScreen } from './past/revisions.ts'
import { partListScreen } from './part-lists.ts'
import { talkScreen } from './talk.ts'
import { taskScreen } from './task.ts'

/** The pages of agents at their paths; undefined for any other path. */
export function agentScreenAt(terms: Terms, path: string): Screen | undefined {
  if (path === pathsHere.agents) return consoleScreen(terms, agentsScreen(terms))
  const named = agentIn(path)
  if (!named) return undefined
  const [id, ...part] = named
  const page = pageOf(terms, id, part)
  return page && consoleScreen(terms, page)
}

type Page = (terms: Terms, id: string) => ConsoleScreen

/** The parts of an agent that are more than a list. */
const pages: ReadonlyMap<string, Page> = new Map<string, Page>([
  ['talk', talkScreen],
  ['knowledge', knowledgeScreen],
  ['secrets', secretsScreen],
  ['profile', profileScreen],
  ['visibility', visibilityScreen],
  ['revisions', revisionsScreen],
  ['memory', memoryScreen],
])

function pageOf(terms: Terms, id: string, part: readonly string[]): ConsoleScreen | undefined {
  const [what, one, act, ...more] = part
  if (more.length > 0) return undefined
  if (what === undefined) return agentScreen(terms, id)
  if (one === undefined) return pages.get(what)?.(terms, id) ?? partListScreen(terms, id, what)
  if (what === 'revisions' && act === undefined) {
    const revision = numberIn(one)
    return revision === undefined ? undefined : revisionScreen(terms, id, revision)
  }
  if (what === 'memory') {
    if (act === undefined) return namespaceScreen(terms, id, one)
    return memoryEntryScreen(terms, id, { namespace: one, key: act })
  }
  if (what !== 'tasks') return undefined
  if (act === undefined) return taskScreen(terms, id, one)
  return act === 'edit' ? taskEditScreen(terms, id, one) : undefined
}
