import type { Reach } from '#src/agents/access.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { Filter } from '#src/ports/filter.ts'
import type { Row } from '#src/ports/store.ts'
import type { StoredRun } from './run.ts'

/** The runs that a caller may see: of its account, or of the one agent that its key acts as. */
export function ownRuns({ caller }: Pick<Reach, 'caller'>): Filter<StoredRun> {
  return caller.charId === undefined
    ? { owner_id: caller.accountId }
    : { owner_id: caller.accountId, char_id: caller.charId }
}

/** The stored text of a run. @throws Refusal `run_not_found`, `forbidden` */
export async function ownRunRow(reach: Reach, runId: string): Promise<Row> {
  const [row] = await reach.store.runs.text({ id: runId, ...ownRuns(reach) }, { limit: 1 })
  return row ?? noRun(reach, runId)
}

/** @throws Refusal `run_not_found`, `forbidden` */
export async function ownRun(reach: Reach, runId: string): Promise<StoredRun> {
  const [run] = await reach.store.runs.find({ id: runId, ...ownRuns(reach) }, { limit: 1 })
  return run ?? noRun(reach, runId)
}

/** @throws Refusal always: `run_not_found`, or `forbidden` where it belongs to someone else */
export async function noRun(reach: Reach, runId: string): Promise<never> {
  const [row] = await reach.store.runs.pick(['id'], { id: runId }, { limit: 1 })
  return row
    ? refuse('forbidden', `The run "${runId}" belongs to another agent or account.`, {
        hint: `${call('runs.list')} lists yours.`,
      })
    : unknownRun(reach, runId)
}

/** @throws Refusal `run_not_found` always, with the nearest of the newest runs that the caller may see */
export async function unknownRun(reach: Reach, runId: string): Promise<never> {
  const options = { sort: { id: -1 }, limit: idsAtMost } as const
  const rows = await reach.store.runs.pick(['id'], ownRuns(reach), options)
  const hint = idHint(runId, {
    ids: rows.flat(),
    read: (run_id) => call('runs.get', { run_id }),
    list: call('runs.list'),
  })
  return refuse('run_not_found', `There is no run "${runId}".`, { hint })
}

/** @throws Refusal `run_ended` always */
export function runEnded({ id, status }: Pick<StoredRun, 'id' | 'status'>): never {
  return refuse('run_ended', `The run has ended: ${status}.`, {
    hint: `It stays as it is: ${call('runs.get', { run_id: id })} reads its result, and ${call('runs.lease')} takes another one.`,
  })
}
