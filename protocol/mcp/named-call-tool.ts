import { toolSchema } from '#src/documents/schemas/plain.ts'
import { namedCall } from '#src/documents/lookup/named-call.ts'
import type { ToolDescriptor } from './descriptor.ts'
import { shortSchema } from './lists/short-tools.ts'

/**
 * The tool that calls any other. It may do what any of them does, so its annotations warn of the worst; where
 * only what changes nothing is asked for, it calls nothing else.
 */
export function namedCallTool(reads: boolean): ToolDescriptor {
  const rest = reads ? ' Here only operations that change nothing.' : ''
  return {
    name: namedCall.tool,
    description: `${namedCall.summary}${rest} ${namedCall.use}\nExample: ${JSON.stringify(namedCall.example)}`,
    inputSchema: shortSchema(toolSchema(namedCall.input, 'input')),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads,
      ...(reads && { idempotentHint: true }),
      openWorldHint: true,
    },
  }
}
