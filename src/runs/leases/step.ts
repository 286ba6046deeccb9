import type { Ports } from '#src/core/context.ts'
import type { Step } from '#src/ports/traces/traces.ts'
import type { StoredRun } from '../run.ts'

/**
 * The work on a run, in the trace of what started it. Where an agent has leased it, the step began with the lease, and
 * was named by it.
 */
export function runStep(run: StoredRun): Step {
  const { claim, started_at } = run
  const facts = {
    'abode.run_id': run.id,
    'abode.account_id': run.owner_id,
    'abode.agent_id': run.char_id,
    'abode.runtime': run.runtime,
    'abode.trigger': run.trigger.type,
    'abode.attempt': run.attempt,
  }
  const leased = claim?.by === 'brain' && { as: claim.token, begun: started_at ?? undefined }
  return { name: 'run', kind: 'consumer', facts, of: run.trace, ...leased }
}

/** The step that the work of an agent on a run that it leases is part of, as `traceparent`. */
export function leasedStep({ traces }: Pick<Ports, 'traces'>, run: StoredRun): string | undefined {
  return run.claim ? traces.ahead(run.trace, run.claim.token) : undefined
}

/** A run that is about to be made, with the trace that its commit would give it. */
export function withTrace({ traces }: Pick<Ports, 'traces'>, run: StoredRun): StoredRun {
  const trace = run.trace ?? traces.kept()
  return trace === undefined ? run : { ...run, trace }
}
