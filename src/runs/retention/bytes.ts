import { sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import { inPlaceSize } from '#src/core/large/value.ts'
import { approvalBytes } from '../approvals/approval.ts'
import type { StoredRun } from '#src/runs/run.ts'

/** Bytes of the record of a run in addition to its input and its results. */
const recordBytes = 1000

type Counts = Pick<Quotas, 'addBytes' | 'received'>

/** The bytes that arrive with a run: all that has to have room, whether or not they are kept already. */
export function arrivingBytes({
  input,
  variables,
}: Pick<StoredRun, 'input' | 'variables'>): number {
  return recordBytes + sizeOf(input ?? undefined, variables ?? undefined)
}

/** The bytes that a run counts as soon as it is stored. A large input counts by itself, once for all that hold it. */
export function acceptedBytes({
  input,
  variables,
}: Pick<StoredRun, 'input' | 'variables'>): number {
  return recordBytes + inPlaceSize(input ?? undefined) + sizeOf(variables ?? undefined)
}

/** The bytes that it counts additionally once it has ended: its results, unless they are kept apart. */
export function broughtBytes({
  output,
  artifacts,
}: Pick<StoredRun, 'output' | 'artifacts'>): number {
  return inPlaceSize(output ?? undefined) + (artifacts.length > 0 ? sizeOf(artifacts) : 0)
}

/** The bytes counted for a run; older records lack the number and are measured. */
export function countedBytes(run: StoredRun): number {
  return run.bytes ?? acceptedBytes(run) + broughtBytes(run)
}

/** Counts bytes of a run after their commit, in the share of the account that caused it. */
export function countRun(
  quotas: Counts,
  { owner_id, sender }: Pick<StoredRun, 'owner_id' | 'sender'>,
  bytes: number,
): void {
  if (sender === undefined) quotas.addBytes(owner_id, bytes)
  else quotas.received.add(owner_id, sender, bytes)
}

/** Counts the runs of a commit. */
export const countRuns: Effect = ({ quotas }, writes) => {
  for (const run of insertedInto('runs', writes)) countRun(quotas, run, countedBytes(run))
}

/** Counts the approvals that runs of a commit wait for. */
export const countApprovals: Effect = ({ quotas }, writes) => {
  for (const one of insertedInto('approvals', writes)) countRun(quotas, one, approvalBytes(one))
}

/** Counts the slots that fires of a commit have left. */
export const countSlots: Effect = ({ quotas }, writes) => {
  for (const { owner_id, bytes = 0 } of insertedInto('slots', writes)) {
    quotas.addBytes(owner_id, bytes)
  }
}
