import * as z from 'zod'
import {
  toolsets,
  isRead,
  toolName,
  whoCalls,
  type OperationFacts,
} from '#src/core/operation-facts.ts'
import { operation } from '#src/core/operation.ts'

const Found = z.object({
  name: z.string().describe('The A2A method.'),
  tool: z.string().nullable().describe('The MCP tool; null if only REST has it.'),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  auth: z
    .string()
    .describe(
      'none: without a credential · key: an API key · agent_key: a scoped key is enough · commons: a Commons handle or scoped key.',
    ),
  read_only: z.boolean(),
  toolsets: z.array(z.string()),
  schema: z.string().describe('Where its input and output are described.'),
})

export const search = operation({
  name: 'operations.search',
  summary: 'Find operations by words, or list those of a toolset.',
  description:
    'Every operation may be called by its tool name, even if the list of tools does not show it.',
  example: { q: 'run a task' },
  auth: 'none',
  http: { method: 'GET', path: '/api/operations' },
  toolsets: ['core', 'account'],
  role: 'find_operations',
  input: z.strictObject({
    q: z.string().max(200).optional(),
    toolset: z.enum(toolsets).optional(),
  }),
  output: z.object({ items: z.array(Found) }),
  refuses: [],

  run({ q, toolset }, { catalog, settings }) {
    const words = (q ?? '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const among = catalog.filter((op) => !toolset || op.toolsets.includes(toolset))
    const ranked = among
      .map((op) => ({ op, score: scoreOf(op, words) }))
      .filter(({ score }) => words.length === 0 || score > 0)
      .sort((a, b) => b.score - a.score)
    return { items: ranked.map(({ op }) => shown(op, settings.publicUrl)) }
  },
})

/**
 * A word of the name counts more than one of the summary, which counts more than one of the
 * description.
 */
function scoreOf(op: OperationFacts, words: readonly string[]): number {
  const name = op.name.replaceAll(/[._]/g, ' ')
  const summary = op.summary.toLowerCase()
  const description = (op.description ?? '').toLowerCase()
  let score = 0
  for (const word of words) {
    if (name.includes(stem(word))) score += 4
    if (summary.includes(word)) score += 2
    else if (description.includes(word)) score += 1
  }
  return score
}

/** Without the plural's s, so that "tasks" finds task.run and vice versa. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word
}

function shown(op: OperationFacts, publicUrl: string): z.infer<typeof Found> {
  const path = op.http.path.replaceAll('/', '~1')
  return {
    name: op.name,
    tool: op.restOnly ? null : toolName(op),
    method: op.http.method,
    path: op.http.path,
    summary: op.summary,
    auth: whoCalls(op),
    read_only: isRead(op),
    toolsets: [...op.toolsets],
    schema: `${publicUrl}/openapi.agent.json#/paths/${path}/${op.http.method.toLowerCase()}`,
  }
}
