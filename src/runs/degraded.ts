import type { Ports } from '#src/core/context.ts'
import type { ConsentNeeded } from '#src/ports/authorize.ts'
import { Unmet, type Change } from '#src/ports/store.ts'
import { runEvent } from './events.ts'
import { RunFailure } from './failure.ts'
import type { StoredRun } from './run.ts'

/** A tool that a run was to have and has not. */
export interface MissingTool {
  name: string
  /** Its task cannot do without it. */
  required: boolean
  /** A person has to consent before it can be used. */
  consent?: ConsentNeeded | undefined
}

const namesAtMost = 50

/** The outcome of a run without the tools that its task requires; undefined where it can go on. */
export function unequipped(missing: readonly MissingTool[]): RunFailure | undefined {
  const required = missing.filter((one) => one.required)
  if (required.length === 0) return undefined
  const consent = required.find((one) => one.consent)?.consent
  if (consent) return new RunFailure('needs_consent', consent.message)
  const names = required.map(({ name }) => name)
  const named = names.slice(0, namesAtMost).join(', ')
  return new RunFailure('tool_unavailable', `The task requires tools that are not there: ${named}.`)
}

/**
 * Notes on a claimed run the tools that it does without, with an event. Writes only where there are some, or
 * were at an earlier attempt.
 * @param names clean of secrets
 */
export async function noteDegraded(
  { store, clock, waiting }: Pick<Ports, 'store' | 'clock' | 'waiting'>,
  run: StoredRun,
  names: readonly string[],
): Promise<void> {
  const tools = [...new Set(names)].slice(0, namesAtMost)
  if (tools.length === 0 && !run.degraded) return
  // Who ends the run has this object too, and tells others of the tools that it lacked.
  if (tools.length > 0) run.degraded = tools
  else delete run.degraded
  const held = run.claim ? { 'claim.token': run.claim.token } : {}
  const change: Change<StoredRun> =
    tools.length > 0 ? { $set: { degraded: tools } } : { $unset: { degraded: true } }
  const insert = runEvent(run.id, 'run.degraded', clock.now(), { tools })
  try {
    await store.commit([
      { in: 'runs', update: { id: run.id, owner_id: run.owner_id, ...held }, change },
      { in: 'run_events', insert },
    ])
    waiting.tell(run.id)
  } catch (cause) {
    // It is not stored yet, and will be with them; or the claim is lost, which its worker will notice.
    if (!(cause instanceof Unmet)) throw cause
  }
}
