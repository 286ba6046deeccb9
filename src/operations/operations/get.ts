import * as z from 'zod'
import { absenceOf } from '#src/core/commons/absence.ts'
import { operation } from '#src/core/operation.ts'
import { nameAtMost, namedOperation } from '#src/core/words/named-operation.ts'
import { signpostOf } from '#src/core/words/signpost.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { answerOf, calledAs, inputOf, refusalsOf } from '#src/documents/lookup/described.ts'
import { describedNamedCall, isNamedCall } from '#src/documents/lookup/named-call.ts'

const JsonSchema = z.looseObject({ type: z.literal('object') })

export const get = operation({
  name: 'operations.get',
  summary: 'Read one operation: its input, its answer, an example, and how it refuses.',
  description:
    'The name may be that of any door: "tasks.run", "tasks_run", "POST /api/characters/{char_id}/tasks/{task_id}/run". ' +
    'Where a schema says "as in X", operations.get of X spells it out.',
  use: 'Before you call what the list does not show, or where a schema says "as in X": read X. Then call it by its name, or with operations_call.',
  example: { name: 'tasks.run' },
  auth: 'none',
  http: { method: 'GET', path: '/api/operations/{name}' },
  toolsets: ['core', 'account'],
  role: 'describe_operation',
  asText: true,
  understands: Object.fromEntries(
    ['operation', 'tool', 'method', 'operation_name', 'tool_name'].map((other) => [
      other,
      (name: unknown) => ({ name }),
    ]),
  ),
  input: z.strictObject({
    name: z.string().max(nameAtMost).describe('An operation, a tool, or "METHOD /path".'),
    output: z
      .enum(['short', 'full'])
      .default('short')
      .describe('short: the members of the answer. full: with what each of them holds.'),
  }),
  output: z.object({
    name: z.string().describe('The A2A method.'),
    tool: z.string().nullable().describe('The MCP tool; null if only REST has it.'),
    method: z.string().nullable().describe('null if it is not on REST, as operations.call.'),
    path: z.string().nullable(),
    summary: z.string(),
    description: z.string().nullable(),
    auth: z.string().describe('Who may call, in the words of operations.search.'),
    read_only: z.boolean(),
    toolsets: z.array(z.string()),
    document: z.string().nullable().describe('The member that is the whole body on REST.'),
    example: z.looseObject({}),
    input: JsonSchema,
    output: JsonSchema,
    refuses: z
      .array(z.object({ code: z.string(), status: z.int() }))
      .describe('Its own codes, in addition to those of any operation.'),
  }),
  refuses: ['operation_not_found'],

  async run({ name, output }, { catalog, clock, settings }) {
    if (isNamedCall(name)) return describedNamedCall()
    const op = namedOperation(catalog, name)
    if (!op) {
      throw unknownOperation('operation', name, signpostOf(catalog), absenceOf(settings))
    }
    return {
      ...calledAs(op),
      description: op.description ?? null,
      document: op.document ?? null,
      example: op.example,
      input: await inputOf(op, catalog, clock),
      output: answerOf(op, output),
      refuses: refusalsOf(op),
    }
  },
})
