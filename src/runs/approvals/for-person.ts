import { addressesOf } from '#src/accounts/members/who.ts'
import { allows, roleIn, type AccountRole } from '#src/core/authorization/account-roles.ts'
import type { Store } from '#src/ports/store.ts'
import { votersOf } from './access.ts'
import type { StoredApproval, Vote } from './approval.ts'

/** An approval as a person may see it, through an account that they are a member of. */
export interface PersonsApproval {
  approval: StoredApproval
  accountId: string
  /** What they are in that account. */
  role: AccountRole
  /** The agents of that account as which they may vote. */
  voters: string[]
  /** Whether they may decide it now. */
  mayDecide: boolean
  /** The addresses of the persons who have decided or changed it for that account. */
  people: ReadonlyMap<string, string>
  /** The names of the agent and the task, where both are of that account. */
  names: { agent: string; task: string } | undefined
  /** What set its run off, of that account's own run. */
  trigger: string | undefined
}

type Needed = Pick<
  Store,
  'approvals' | 'accounts' | 'memberships' | 'persons' | 'characters' | 'tasks' | 'runs'
>

/**
 * The approval, if an account that the person is a member of is asked or has the run that waits; undefined for any
 * other, and for none. An account for which they may decide comes first.
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
  const seen = await rolesAt(store, personId, owners)
  const [deciding] = seen.filter(({ role }) => allows(role, 'approve'))
  const through = deciding ?? seen[0]
  if (!through) return undefined
  const { accountId, role } = through
  const votes = allows(role, 'approve') ? asked : []
  const voters = votes.filter(({ owner }) => owner === accountId).map(({ id }) => id)
  const isOwn = approval.owner_id === accountId
  const mayDecide =
    approval.kind === 'secret_origin' ? isOwn && role === 'owner' : voters.length > 0
  const [people, more] = await Promise.all([
    addressesOf(store, votersFor(approval, accountId)),
    isOwn ? namesOf(store, approval) : unnamed,
  ])
  return { approval, accountId, role, voters, mayDecide, people, ...more }
}

/** The persons who have voted for an account. */
export function votersFor(
  { approvers, approver_owners, fallback_agent_id, fallback_owner_id, votes }: StoredApproval,
  accountId: string,
): string[] {
  const owners = new Map([
    [fallback_agent_id, fallback_owner_id],
    ...approvers.map((id, i) => [id, approver_owners[i] ?? null] as const),
  ])
  const isFor = ({ by }: Vote): boolean => by === accountId || owners.get(by) === accountId
  return votes.filter(isFor).flatMap(({ decided_by }) => decided_by?.person_id ?? [])
}

/** Those of these accounts that the person is a member of, in their order, and as what. */
async function rolesAt(
  store: Pick<Needed, 'accounts' | 'memberships'>,
  personId: string,
  ids: readonly string[],
): Promise<{ accountId: string; role: AccountRole }[]> {
  const asked = [...new Set(ids)]
  const accounts = await store.accounts.find({ id: { $in: asked } })
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const roles = await Promise.all(asked.map((id) => roleIn(store, byId.get(id), personId)))
  return asked.flatMap((accountId, i) => {
    const role = roles[i]
    return role === undefined ? [] : [{ accountId, role }]
  })
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
