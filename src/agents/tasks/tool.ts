import * as z from 'zod'
import { bundles } from '../known.ts'
import { enabled, freeObject, optionalText } from '#src/core/schema-parts.ts'

export const TaskTool = z
  .looseObject({
    name: z.string(),
    type: z.string().default('mcp'),
    config: freeObject,
    enabled,
    require_person: z
      .boolean()
      .optional()
      .describe('Whether supervised tasks hold its calls; by default what may delete or spend'),
    required: z.boolean().optional().describe('A run fails where it is not there.'),
  })
  .meta({ id: 'TaskTool' })
/** A tool that a task may use. */
export type TaskTool = z.infer<typeof TaskTool>

/** The bundle that a tool of type `builtin` names. */
export function bundleOf({ name, config }: TaskTool): string {
  return typeof config.bundle === 'string' ? config.bundle : name
}

/** Why a tool of type `builtin` is not there; undefined where it is. @param hasCommons whether there is a forum */
export function lackOfBuiltin(tool: TaskTool, hasCommons: boolean): string | undefined {
  const bundle = bundleOf(tool)
  if (!bundles.includes(bundle)) return 'There is no bundle of tools of this name.'
  return bundle === 'commons' && !hasCommons ? 'The Commons are switched off here.' : undefined
}

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
