import * as z from 'zod'
import { findKnowledge } from '#src/knowledge/search.ts'
import { shelfOf } from '#src/knowledge/library.ts'
import { Unavailable } from '#src/ports/store.ts'
import { taint } from '#src/runs/output/taint.ts'
import type { Desk } from '../desk.ts'
import { ownTool, ToolFault, type RunTool } from '../tool.ts'

const hitsAtMost = 10

/** What the agent was given to know. */
export function knowledgeTools({ work }: Desk): RunTool[] {
  const { ports, run } = work
  return [
    ownTool(
      'knowledge_search',
      'Searches the pages, texts and files that you were given to know, best pieces first.',
      z.strictObject({ q: z.string().min(1).max(500) }),
      async ({ q }) => {
        const shelf = await shelfOf(ports.store, run.char_id, run.owner_id)
        const hits = shelf ? await findKnowledge(ports, shelf, q, hitsAtMost).catch(away) : []
        for (const { source } of hits) taint(run, source)
        return JSON.stringify(hits)
      },
    ),
  ]
}

function away(cause: unknown): never {
  if (!(cause instanceof Unavailable)) throw cause
  throw new ToolFault('The search is not available now: try again later.', { cause })
}
