import type { Notices } from '#src/agents/tasks/notices.ts'
import type { Known } from '#src/agents/tasks/references/look-up.ts'
import type { Outline } from './outline.ts'

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
  /** What is known of agents outside of the manifest, and of the secrets of its own. */
  known: Known
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
