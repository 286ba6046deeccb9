import type { ToolSchema } from '#src/documents/schemas/plain.ts'
import type { ToolAnnotations } from './annotations.ts'

/** An operation as MCP lists it. */
export interface ToolDescriptor {
  name: string
  /** For people; absent in a list for models. */
  title?: string
  description: string
  inputSchema: ToolSchema
  /** Absent where the answer is given as text alone. */
  outputSchema?: ToolSchema
  annotations: ToolAnnotations
}
