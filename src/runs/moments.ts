import type { Reach } from '#src/agents/access.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { marked, Source } from '#src/core/text/untrusted.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Picked } from '#src/ports/store.ts'
import { noRun, ownRuns } from './access.ts'
import type { Run } from './run.ts'

/** What of a run its events are told by: little of what may be large, and is looked at again and again. */
export interface RunMoments extends Pick<
  Run,
  | 'id'
  | 'status'
  | 'reason'
  | 'error'
  | 'attempt'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'untrusted'
  | 'source'
> {
  trigger: Pick<Run['trigger'], 'type'>
}

/** Where the source of a run is in it. */
export const sourcePaths = [
  'source.kind',
  'source.account',
  'source.char_id',
  'source.handle',
  'source.address',
] as const

const paths = [
  'id',
  'status',
  'reason',
  'error.code',
  'error.message',
  'attempt',
  'created_at',
  'started_at',
  'finished_at',
  'trigger.type',
  ...sourcePaths,
] as const

/**
 * The moments of a run of the caller's. Of many that look at the same time one does in each turn of the
 * loop, for a store looks through all of the document.
 * @throws Refusal `run_not_found`, `forbidden`
 */
export async function ownMoments(
  reach: Reach & { clock: Pick<Clock, 'turn'> },
  runId: string,
): Promise<RunMoments> {
  await turnOf(reach.clock)
  const [row] = await reach.store.runs.pick(paths, { id: runId, ...ownRuns(reach) }, { limit: 1 })
  return row ? momentsOf(row) : noRun(reach, runId)
}

function momentsOf(row: Picked): RunMoments {
  const [id, status, reason, code, message, attempt, createdAt, startedAt, finishedAt, type] = row
  return {
    id: String(id),
    // As the run keeps it.
    status: status as Run['status'],
    reason: textOf(reason),
    error: typeof code === 'string' ? { code, message: textOf(message) ?? '' } : null,
    attempt: Number(attempt),
    created_at: String(createdAt),
    started_at: textOf(startedAt),
    finished_at: textOf(finishedAt),
    trigger: { type: String(type) },
    ...marked(sourceIn(row.slice(-sourcePaths.length))),
  }
}

/** The source of a run of which these paths were picked. */
export function sourceIn(row: Picked): Source | undefined {
  const [kind, account, char_id, handle, address] = row
  const picked = { kind, account, char_id, handle, address }
  const present = Object.entries(picked).filter(([, value]) => value != null)
  return present.length === 0 ? undefined : Source.safeParse(Object.fromEntries(present)).data
}

function textOf(value: Picked[number] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
