import type { Ports } from '#src/core/context.ts'
import { runOf } from './message.ts'
import type { Write } from '#src/ports/store.ts'
import type { Start } from '../new-run.ts'
import type { StoredRun } from '../run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'

/** Runs of tasks that a call from outside set off. */
export interface Started {
  ids: string[]
  writes: Write[]
  /** All of them are skipped because a quota is used up. */
  isBeyondQuota: boolean
}

/** A run of each task, in the order of the tasks: queued, or skipped with the reason. */
export async function startedRuns(
  ports: Pick<Ports, 'store' | 'quotas' | 'models'>,
  tasks: readonly StoredTask[],
  start: Pick<Start, 'trigger' | 'input' | 'sender' | 'source' | 'startedBy'>,
  now: Date,
): Promise<Started> {
  const runs: Awaited<ReturnType<typeof runOf>>[] = []
  for (const task of tasks) runs.push(await runOf(ports, task, start, now))
  return {
    ids: runs.map((run) => run.id),
    writes: runs.map((insert) => ({ in: 'runs', insert })),
    isBeyondQuota: areBeyondQuota(runs),
  }
}

/** Whether all of these runs are skipped because a quota is used up. */
export function areBeyondQuota(runs: readonly Pick<StoredRun, 'status' | 'reason'>[]): boolean {
  return runs.every(({ status, reason }) => status === 'skipped' && reason === 'quota')
}
