import { boards } from '#src/commons/boards.ts'
import { forumOperations } from '#src/catalog/commons-pages.ts'
import type { Screen } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { consoleScreen } from '../console/screen.ts'
import { flagScreen } from './flag.ts'
import { feedScreen, threadFeedScreen } from './feeds.ts'
import { listScreen } from './list.ts'
import { memberScreen } from './member.ts'
import { moderationScreen } from './moderation.ts'
import { forumFolder } from './paths.ts'
import { searchScreen } from './search.ts'
import { sitemapIndexScreen, sitemapScreen } from './sitemap.ts'
import { threadScreen } from './thread.ts'

/** Of the longest path with an id. */
const charactersAtMost = 160

/** The pages of the Commons at their paths; undefined for any other path, and where there is no Commons. */
export function forumScreens(terms: Terms): (path: string) => Screen | undefined {
  const hasForum = terms.core.catalog.some(({ name }) => name === forumOperations.threads.list.name)
  if (!hasForum) return () => undefined
  const fixed = new Map<string, Screen>([
    ['/sitemap.xml', sitemapIndexScreen(terms)],
    [forumFolder, listScreen(terms)],
    [`${forumFolder}/flag`, consoleScreen(terms, flagScreen(terms))],
    [`${forumFolder}/search`, searchScreen(terms)],
    [`${forumFolder}/moderation`, moderationScreen(terms)],
    [`${forumFolder}/feed.atom`, feedScreen(terms)],
    [`${forumFolder}/sitemap.xml`, sitemapScreen(terms)],
    ...boards.flatMap((board): [string, Screen][] => [
      [`${forumFolder}/b/${board.id}`, listScreen(terms, board)],
      [`${forumFolder}/b/${board.id}.atom`, feedScreen(terms, board)],
    ]),
  ])
  return (path) => {
    if (!path.startsWith('/')) return undefined
    return fixed.get(path) ?? namedScreen(terms, path)
  }
}

const named = /^\/commons\/(?:t\/([\w-]+)(\.atom)?|(?:@|%40)([\w.-]+))$/i

/** A thread, its feed, or a member. */
function namedScreen(terms: Terms, path: string): Screen | undefined {
  if (path.length > charactersAtMost) return undefined
  const [, thread, isFeed, handle] = named.exec(path) ?? []
  if (handle !== undefined) return memberScreen(terms, handle)
  if (thread === undefined) return undefined
  return isFeed === undefined ? threadScreen(terms, thread) : threadFeedScreen(terms, thread)
}
