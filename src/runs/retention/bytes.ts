import { sizeOf, type Quotas } from '#src/core/counts/quotas.ts'
import { insertedInto, type Effect } from '#src/core/effects.ts'
import { approvalBytes } from '../approvals/approval.ts'
import type { StoredRun } from '#src/runs/run.ts'

/** What the record of a run takes beside what it was given and what it brought. */
const recordBytes = 1000

type Counts = Pick<Quotas, 'addBytes' | 'received'>

/** What a run counts from the moment in which it is kept. */
export function acceptedBytes({
  input,
  variables,
}: Pick<StoredRun, 'input' | 'variables'>): number {
  return recordBytes + sizeOf(input ?? undefined, variables ?? undefined)
}

/** What it counts beside that once it has ended: what it brought. */
export function broughtBytes({
  output,
  artifacts,
}: Pick<StoredRun, 'output' | 'artifacts'>): number {
  return sizeOf(output ?? undefined) + (artifacts.length > 0 ? sizeOf(artifacts) : 0)
}

/** What was counted of a run: those that were kept before this was noted are measured. */
export function countedBytes(run: StoredRun): number {
  return run.bytes ?? acceptedBytes(run) + broughtBytes(run)
}

/** Counts bytes of a run, after the commit that has kept them: for whoever has left it there. */
export function countRun(
  quotas: Counts,
  { owner_id, sender }: Pick<StoredRun, 'owner_id' | 'sender'>,
  bytes: number,
): void {
  if (sender === undefined) quotas.addBytes(owner_id, bytes)
  else quotas.received.add(owner_id, sender, bytes)
}

/** Counts the runs that a commit has kept. */
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
