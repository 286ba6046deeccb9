import type { Scrub } from '#src/agents/secrets/scrubber.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { TaskTool } from '#src/agents/tasks/tool.ts'
import type { Variables } from '#src/runs/template.ts'
import type { Authorize } from '#src/ports/authorize.ts'
import type { Work } from '../runtime.ts'
import type { Fence } from '#src/core/text/fence.ts'

/** What the parts of a prompt run share. */
export interface Desk {
  work: Work
  character: StoredCharacter
  /** The task's own, with their secrets. */
  tools: readonly TaskTool[]
  /** The task's, overlaid by those of the call. */
  variables: Variables
  /** The values of the task's selected secrets, by name. */
  secrets: Readonly<Record<string, string>>
  /** Cleans a text of the secrets that the run has been given until now. */
  scrub: Scrub
  /** What lets its calls in where its agent is connected. */
  authorize: Authorize
  fence: Fence
  /** Keeps an event of the run. */
  note: Work['note']
}
