import * as z from 'zod'
import { enabled, freeObject, optionalText } from '#src/core/schema-parts.ts'

export const TaskTool = z
  .looseObject({ name: z.string(), type: z.string().default('mcp'), config: freeObject, enabled })
  .meta({ id: 'TaskTool' })
/** A tool that a task may use. */
export type TaskTool = z.infer<typeof TaskTool>

export const TaskArtifactStore = z
  .looseObject({ type: z.string(), connection: optionalText, config: freeObject, enabled })
  .meta({ id: 'TaskArtifactStore' })
/** Where a task's artifacts are stored; `local` is the store itself. */
export type TaskArtifactStore = z.infer<typeof TaskArtifactStore>

/**
 * A placeholder in a command that other runtimes would fill in; templates of other programs look
 * different: `{{.Names}}`. Its first group is the name.
 */
export const commandPlaceholder = /\{\{\s*([A-Za-z_][\w.-]*)\s*\}\}/
