import type { Operation } from '#src/core/operation.ts'
import { get as conformanceGet } from '#src/operations/conformance/get.ts'
import { get as operationsGet } from '#src/operations/operations/get.ts'
import { search as operationsSearch } from '#src/operations/operations/search.ts'
import { get as publicAgentsGet } from '#src/operations/public/agents/get.ts'
import { list as publicAgentsList } from '#src/operations/public/agents/list.ts'
import { feed as publicFeed } from '#src/operations/public/feed.ts'
import { tasks as publicTasks } from '#src/operations/public/tasks.ts'

/** What anyone may read: public profiles, and what the service can do. */
export const publicReads: readonly Operation[] = [
  publicAgentsList,
  publicAgentsGet,
  publicFeed,
  publicTasks,
  operationsSearch,
  operationsGet,
  conformanceGet,
]
