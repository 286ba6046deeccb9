import type { Group } from './group.ts'
import { commons } from './groups/commons.ts'
import { doors, tokens, writesAmongLists } from './groups/doors.ts'
import { feed } from './groups/feed.ts'
import { hold } from './groups/hold.ts'
import { knowledge } from './groups/knowledge.ts'
import { large } from './groups/large.ts'
import { pages } from './groups/pages.ts'
import { processes } from './groups/processes.ts'
import { schedules } from './groups/schedules.ts'
import { scrape } from './groups/scrape.ts'
import { statements } from './groups/statements.ts'
import { steady } from './groups/steady.ts'
import { streams } from './groups/streams.ts'
import { told } from './groups/told.ts'
import { wide } from './groups/wide.ts'
import { start } from './groups/start.ts'

/**
 * Every group in the order in which it is measured. Knowledge comes before this process has grown:
 * collecting its own garbage, it would take the cores from the server.
 *
 * Another row is one line in `table/rows/`, in the group that measures it; another group is one file in
 * `groups/` and its name here.
 */
export const groups: readonly Group[] = [
  start,
  statements,
  hold,
  knowledge,
  scrape,
  schedules,
  doors,
  writesAmongLists,
  tokens,
  large,
  commons,
  feed,
  pages,
  processes,
  told,
  wide,
  streams,
  steady,
]
