import { largeSizes } from '#src/core/large/sizes.ts'
import { portionsOf } from '#src/core/counts/portions.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import type { Reach } from '#src/agents/access.ts'
import type { Clock } from '#src/ports/clock.ts'
import type { Picked, Store } from '#src/ports/store.ts'
import { ownRuns } from '../access.ts'
import { isResumed } from '../approvals/verdict.ts'
import type { Run } from '../run.ts'
import { followUpsAtMost, standPaths, standsIn, type StandingRow } from './row.ts'

/** The bytes assumed of a run that does not say its own; it is then read by itself. */
const unknownBytes = 2 ** 20

/** How a run stands, without its input and its results. */
export interface RunStanding extends Pick<
  Run,
  'id' | 'status' | 'reason' | 'error' | 'approval_id' | 'created_at' | 'started_at' | 'finished_at'
> {
  /** Of all that it shows, also of what is kept apart. */
  bytes: number
  /** Of the approval that it waits for. */
  asked_at: string | null
}

interface Standing extends RunStanding {
  follow_up_run_id: string | null
}

const paths = [...standPaths, 'error.code', 'error.message'] as const

type Reader = Pick<Reach, 'caller'> & {
  store: Pick<Store, 'runs' | 'approvals' | 'large_values'>
  clock: Pick<Clock, 'turn'>
}

/**
 * How the caller's runs stand by their ids, each as the one that goes on after its approvals. They are
 * read in portions that hold up no one else, for a store looks through all of a document.
 */
export async function standingsOf(
  reader: Reader,
  ids: readonly string[],
): Promise<Map<string, RunStanding>> {
  const { store, clock } = reader
  const sizes = await store.runs.pick(['id', 'bytes'], { id: { $in: ids } })
  const rows = sizes.map(([id, bytes]) => ({
    id: String(id),
    bytes: Number(bytes ?? unknownBytes),
  }))
  const found = new Map<string, RunStanding>()
  for (const portion of portionsOf(rows)) {
    if (found.size > 0) await turnOf(clock)
    const first = await read(
      reader,
      portion.map(({ id }) => id),
    )
    for (const standing of first) found.set(standing.id, await gone(reader, standing))
  }
  return found
}

/** Where it goes on after its approvals. */
async function gone(reader: Reader, first: Standing): Promise<RunStanding> {
  let standing = first
  for (let i = 0; i < followUpsAtMost && standing.follow_up_run_id !== null; i++) {
    await turnOf(reader.clock)
    const [next] = await read(reader, [standing.follow_up_run_id])
    if (!next) break
    standing = next
  }
  const { follow_up_run_id: _, ...shown } = standing
  return shown
}

async function read(reader: Reader, ids: readonly string[]): Promise<Standing[]> {
  const { runs, approvals } = reader.store
  const rows = await runs.pick(paths, { id: { $in: ids }, ...ownRuns(reader) })
  const found = rows.map(standsIn)
  const sizes = await largeSizes(
    reader.store,
    found.flatMap(({ large }) => large),
  )
  const standings = found.map((one) => standingOf(one, sizes(one.large)))
  for (const one of standings) {
    const isPaused = one.status === 'waiting_approval' || isResumed(one)
    if (one.approval_id === null || !isPaused) continue
    const among = { id: one.approval_id }
    const [asked] = await approvals.pick(['created_at', 'follow_up_run_id'], among)
    one.asked_at = textOf(asked?.[0])
    if (isResumed(one)) one.follow_up_run_id = textOf(asked?.[1])
  }
  return standings
}

function standingOf({ id, bytes, stands, approvalId, more }: StandingRow, large: number): Standing {
  const [code, message] = more
  return {
    id,
    ...stands,
    bytes: (bytes ?? unknownBytes) + large,
    error: typeof code === 'string' ? { code, message: textOf(message) ?? '' } : null,
    approval_id: approvalId,
    asked_at: null,
    follow_up_run_id: null,
  }
}

function textOf(value: Picked[number] | undefined): string | null {
  return typeof value === 'string' ? value : null
}
