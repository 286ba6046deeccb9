import type { Operation } from '#src/core/operation.ts'
import { agents } from './catalog/agents.ts'
import { apps } from './catalog/apps.ts'
import { chat } from './catalog/chat.ts'
import { commons } from './catalog/commons.ts'
import { content } from './catalog/content.ts'
import { onboarding } from './catalog/onboarding.ts'
import { payments } from './catalog/payments.ts'
import { publicReads } from './catalog/public.ts'
import { runs } from './catalog/runs.ts'
import { tasks } from './catalog/tasks.ts'

/** Every operation, once, in the order of the documents; last those that no document lists. */
export const operations: readonly Operation[] = [
  ...onboarding,
  ...agents,
  ...content,
  ...tasks,
  ...runs,
  ...apps,
  ...payments,
  ...publicReads,
  ...commons,
  ...chat,
]

/** What callers are offered and told of: all but the internal ones. */
export const catalog: readonly Operation[] = operations.filter((op) => !op.internal)
