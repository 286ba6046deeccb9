import * as z from 'zod'
import type { Code } from '#src/core/errors.ts'
import type { Toolset } from '#src/core/operation-facts.ts'
import { nameAtMost } from '#src/core/words/named-operation.ts'
import { toolSchema } from '../schemas/plain.ts'
import { refusalsOf } from './described.ts'

/**
 * The call of any operation by its name, for hosts that call only what they list. It is no operation itself:
 * the doors of agents put the operation that is named in its place, and REST has no need of it.
 */
export const namedCall = {
  name: 'operations.call',
  tool: 'operations_call',
  summary: 'Call any operation by its name; the answer is that of the operation.',
  use: 'For what the list does not show. Look first: operations_search or operations_get.',
  example: { name: 'feed_post', arguments: { char_id: 'ada', content: 'Good morning.' } },
  toolsets: ['core', 'account'] satisfies Toolset[],
  input: z.strictObject({
    name: z.string().max(nameAtMost).describe('An operation, a tool, or "METHOD /path".'),
    arguments: z.looseObject({}).default({}).describe('Its input.'),
  }),
  refuses: ['operation_not_found', 'forbidden'] satisfies Code[],
} as const

/** Whether a name is that of the call by name, in the form of any door. */
export function isNamedCall(name: string): boolean {
  const sent = name.trim().toLowerCase()
  return sent === namedCall.name || sent === namedCall.tool
}

/** The call by name as operations are described. */
export function describedNamedCall() {
  const { name, tool, summary, use, example, toolsets } = namedCall
  return {
    name,
    tool,
    method: null,
    path: null,
    summary,
    description:
      `${use} Rights, limits, quotas, idempotency keys and refusals are those of the operation that is named, as if ` +
      'it had been called itself. Over MCP and A2A only: REST calls an operation at its own path. It never calls itself.',
    auth: 'none',
    read_only: false,
    toolsets: [...toolsets],
    document: null,
    example,
    input: toolSchema(namedCall.input, 'input'),
    output: toolSchema(z.looseObject({}), 'output'),
    refuses: refusalsOf(namedCall),
  }
}
