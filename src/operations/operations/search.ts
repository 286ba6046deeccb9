import * as z from 'zod'
import { toolsets, type OperationFacts } from '#src/core/operation-facts.ts'
import { operation } from '#src/core/operation.ts'
import { calledAs } from '#src/documents/lookup/described.ts'
import { memberLines } from '#src/documents/lookup/member-lines.ts'
import { Warning } from '#src/core/schema.ts'
import { tells } from '#src/core/text/stems.ts'
import { ranked } from '#src/core/words/rank.ts'
import { call } from '#src/core/words/reference.ts'

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
  members: z
    .record(z.string(), z.string())
    .describe('What it takes, by name: type, whether it is required, what it is about.'),
  example: z.looseObject({}).describe('An input that works, or would with your own ids.'),
  schema: z.string().describe('Where all of it is described: operations.get.'),
})

/** By default so many, and fewer where their examples are long: a model reads all of it. */
const shownByDefault = 5
const bytesByDefault = 3000
const shownAtMost = 50

export const search = operation({
  name: 'operations.search',
  summary: 'Find operations by what you want to do, or list those of a toolset.',
  description:
    'The best come first, each with its members and an example: often enough to call it. ' +
    'operations.get shows the whole schema. Words may be your own: "bot" finds agents.',
  use: 'Call what it finds by its name, or with operations_call; operations_get shows one in full.',
  example: { q: 'run a task' },
  auth: 'none',
  http: { method: 'GET', path: '/api/operations' },
  toolsets: ['core', 'account'],
  role: 'find_operations',
  asText: true,
  understands: Object.fromEntries(
    ['query', 'question', 'text', 'search'].map((name) => [name, (q: unknown) => ({ q })]),
  ),
  input: z.strictObject({
    q: z.string().max(1000).optional().describe('What you want to do.'),
    toolset: z.enum(toolsets).optional(),
    limit: z
      .int()
      .min(1)
      .max(shownAtMost)
      .optional()
      .describe('By default 5, or fewer that fit in 3 kB.'),
  }),
  output: z.object({
    items: z.array(Found),
    more: z.int().describe('How many others were found: ask for them with a larger limit.'),
    warnings: z.array(Warning).optional(),
  }),
  refuses: [],

  run({ q, toolset, limit }, { catalog, settings }) {
    const found = q?.trim() ? ranked(catalog, q).map(({ op }) => op) : catalog
    const among = toolset ? found.filter((op) => op.toolsets.includes(toolset)) : found
    if (q !== undefined && among.length === 0) return nothingFor(q, found[0])
    const items = among.slice(0, limit ?? shownByDefault).map((op) => shown(op, settings.publicUrl))
    const fitting = limit === undefined ? fittingOf(items) : items
    return { items: fitting, more: among.length - fitting.length }
  },
})

/** Nothing was found, and why. @param elsewhere the best that is in another toolset */
function nothingFor(q: string, elsewhere: OperationFacts | undefined) {
  const [code, message] = elsewhere
    ? [
        'elsewhere',
        `The toolset has nothing that fits. Without it ${call(elsewhere.name)} is found: ${elsewhere.summary}`,
      ]
    : tells(q)
      ? ['unknown', `No operation has any of these words. ${otherWords}`]
      : ['says_nothing', `These words do not say what you want to do. ${otherWords}`]
  return { items: [], more: 0, warnings: [{ code, pointer: '/q', message }] }
}

/** What to look for instead. */
const otherWords = `Name a thing and what to do with it, as in ${call('operations.search', { q: 'run a task' })}, or leave q out: ${call('operations.search', { toolset: 'core' })} lists what most callers need.`

function shown(op: OperationFacts, publicUrl: string): z.infer<typeof Found> {
  return {
    ...calledAs(op),
    members: { ...memberLines(op) },
    example: op.example,
    schema: `${publicUrl}/api/operations/${op.name}`,
  }
}

/** The first, and those after it that fit in so many bytes with it. */
function fittingOf<T>(items: readonly T[]): T[] {
  let left = bytesByDefault
  return items.filter((item, at) => {
    left -= Buffer.byteLength(JSON.stringify(item)) + 1
    return at === 0 || left >= 0
  })
}
