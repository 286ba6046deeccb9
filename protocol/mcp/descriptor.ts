import type { Drafts } from '#src/documents/schemas/drafts.ts'
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
  /** Where hosts that show MCP Apps find what shows its answer. */
  _meta?: { ui: { resourceUri: string } }
}

/** The tools of a catalog. It is plain JSON. */
export interface MadeTools {
  /** Those of the full list, in document order. */
  descriptors: readonly ToolDescriptor[]
  /** What inputs are written from in lists of some of them. */
  drafts: Drafts
}
