import type { Store } from '#src/ports/store.ts'
import { votersOf } from './access.ts'
import type { StoredApproval } from './approval.ts'

/** An approval as a person may see it, through an account that they hold. */
export interface PersonsApproval {
  approval: StoredApproval
  accountId: string
  /** The agents of that account as which they may vote. */
  voters: string[]
  /** The names of the agent and the task, where both are of that account. */
  names: { agent: string; task: string } | undefined
  /** What set its run off, of that account's own run. */
  trigger: string | undefined
}

type Needed = Pick<Store, 'approvals' | 'accounts' | 'characters' | 'tasks' | 'runs'>

/**
 * The approval, if an account that the person holds is asked or has the run that waits; undefined for any
 * other, and for none. An account that is asked comes first.
 */
export async function approvalFor(
  store: Needed,
  personId: string,
  approvalId: string,
): Promise<PersonsApproval | undefined> {
  const approval = await store.approvals.get(approvalId)
  if (!approval) return undefined
  const asked = votersOf(approval)
  const owners = [
    ...asked.map(({ owner }) => owner),
    approval.owner_id,
    ...approval.approver_owners,
  ]
  const held = await store.accounts.find({ id: { $in: owners }, holder_id: personId })
  const open = new Set(held.filter(({ closed_at }) => closed_at === undefined).map(({ id }) => id))
  const accountId = owners.find((id) => open.has(id))
  if (accountId === undefined) return undefined
  const voters = asked.filter(({ owner }) => owner === accountId).map(({ id }) => id)
  const isOwn = approval.owner_id === accountId
  return { approval, accountId, voters, ...(isOwn ? await namesOf(store, approval) : unnamed) }
}

const unnamed = { names: undefined, trigger: undefined }

async function namesOf(
  { characters, tasks, runs }: Needed,
  { char_id, task_id, run_id }: StoredApproval,
): Promise<Pick<PersonsApproval, 'names' | 'trigger'>> {
  const [agents, named, run] = await Promise.all([
    characters.pick(['name'], { id: char_id }),
    tasks.pick(['name'], { char_id, task_id }),
    runs.get(run_id),
  ])
  const agent = agents[0]?.[0]
  const task = named[0]?.[0]
  const isThere = typeof agent === 'string' && typeof task === 'string'
  return { names: isThere ? { agent, task } : undefined, trigger: run?.trigger.type }
}
