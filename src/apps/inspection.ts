import { isCharacterId } from '#src/agents/name.ts'
import type { Notices } from '#src/agents/tasks/notices.ts'
import { agentNamed, textOf, type Outline } from './outline.ts'

/** An agent of a manifest that sends its results to one outside of it as messages: the ids of both. */
export interface Share {
  from: string
  to: string
}

/** What the rules of a manifest examine, and where they put their findings. */
export interface Inspection {
  outline: Outline
  errors: Notices
  warnings: Notices
  /** Whether an id outside the manifest is known to be an agent's. */
  known: Pick<ReadonlySet<string>, 'has'>
  /** Whether it is known that no task of the receiver listens. */
  isUnheard: (share: Share) => boolean
}

/** Checks a text that must be the local id of an agent of this manifest. */
export function noteLocalId(
  { outline, errors }: Inspection,
  named: unknown,
  pointer: string,
): void {
  if (typeof named !== 'string' || outline.localIds.has(named)) return
  const meant = outline.ids.get(named)?.localId ?? errors.suggest(named, outline.localIds.keys())
  const message = `No agent of this manifest has the local_id "${named.slice(0, 100)}"`
  errors.add('unknown_agent', pointer, message, meant)
}

/** Checks a text that names an agent of this manifest, or any other by its id. */
export function noteAgent(inspection: Inspection, value: unknown, pointer: string): void {
  const { outline, errors, warnings, known } = inspection
  const named = textOf(value)
  if (named === undefined || agentNamed(outline, named) || known.has(named)) return
  const meant = warnings.suggest(named, outline.localIds.keys())
  if (isCharacterId(named)) {
    const message = `"${named}" is not an agent of this manifest, so it is read as the id of another agent.`
    warnings.add('unknown_agent', pointer, message, meant)
  } else {
    const message = `"${named.slice(0, 100)}" is not an agent of this manifest and cannot be an id`
    errors.add('unknown_agent', pointer, message, meant)
  }
}
