import * as z from 'zod'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import { timestamp } from '#src/core/time.ts'
import { marks } from '#src/core/text/untrusted.ts'
import type { RunMoments } from './moments.ts'
import { hasEnded } from './run.ts'

export const RunEventRecord = z
  .object({
    seq: z.int(),
    type: z.string(),
    at: z.string(),
    data: z.record(z.string(), z.unknown()),
    ...marks,
  })
  .meta({ id: 'RunEvent' })
/** An event of a run. */
export type RunEventRecord = z.infer<typeof RunEventRecord>

/** An event as stored, under `run_id.seq`. */
export interface RunEvent extends RunEventRecord {
  id: string
  run_id: string
}

const queuedSeq = 0
const startedSeq = 1
/**
 * The numbers of stored events are times in milliseconds, which run ahead of the clock where there are more. So
 * much after the end of a run none is stored that belongs before it.
 */
const aheadAtMost = 1_000_000

/** The number of the event that a run has ended: after every event of its work. */
function endedSeq(run: RunMoments): number {
  return Date.parse(run.finished_at ?? run.created_at) + aheadAtMost
}

/** Whether an event says only what the run itself shows: that it was queued, started or ended. */
export function isDerived({ seq }: Pick<RunEventRecord, 'seq'>, run: RunMoments): boolean {
  return seq <= startedSeq || (hasEnded(run) && seq === endedSeq(run))
}

/**
 * The events that the run's own record already implies: that it was queued and that it ended. They are
 * not stored but derived, before and after the stored events.
 */
export function derivedEvents(run: RunMoments): RunEventRecord[] {
  const events: RunEventRecord[] = [
    { seq: queuedSeq, type: 'run.queued', at: run.created_at, data: { trigger: run.trigger.type } },
  ]
  if (run.started_at) {
    events.push({ seq: startedSeq, type: 'run.started', at: run.started_at, data: {} })
  }
  if (hasEnded(run)) {
    const data = { status: run.status, reason: run.reason, error: run.error, attempt: run.attempt }
    events.push({
      seq: endedSeq(run),
      type: `run.${run.status}`,
      at: run.finished_at ?? run.created_at,
      data,
    })
  }
  return events
}

/** Tells callers that follow a run of its events and its changes in a commit. */
export const tellRunEvents: Effect = ({ waiting }, writes) => {
  const ids = new Set(insertedInto('run_events', writes).map(({ run_id }) => run_id))
  for (const write of writes) {
    if (write.in !== 'runs' || !('update' in write)) continue
    const { id } = write.update
    if (typeof id === 'string') ids.add(id)
  }
  for (const id of ids) waiting.tell(id)
}

let lastSeq = 0

/**
 * An event to store. Its `seq` is the time in milliseconds, and grows within a process even within one
 * millisecond, so that pages and resumed streams can follow it.
 */
export function runEvent(
  runId: string,
  type: string,
  at: Date,
  data: Record<string, unknown>,
): RunEvent {
  const seq = nextSeq(at)
  return { id: `${runId}.${seq}`, run_id: runId, seq, type, at: timestamp(at), data }
}

/** The next number for what happens in runs. */
export function nextSeq(at: Date): number {
  const time = at.getTime()
  // A clock that was set back leaves the last number so far ahead that the end of a run would come before it.
  const isAhead = lastSeq >= time && lastSeq < time + aheadAtMost / 2
  lastSeq = isAhead ? lastSeq + 1 : time
  return lastSeq
}
