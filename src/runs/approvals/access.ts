import { mayActFor, ownRow, type Reach } from '#src/agents/access.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import { refuse } from '#src/core/errors.ts'
import { idHint, idsAtMost } from '#src/core/words/id-hint.ts'
import { call } from '#src/core/words/reference.ts'
import type { StoredApproval } from './approval.ts'
import { viewer, viewersOf } from './viewer-row.ts'

/**
 * An approval of one of the caller's runs, or one that one of the caller's agents is asked for.
 * @throws Refusal `approval_not_found`, `forbidden`
 */
export async function seenApproval(reach: Reach, approvalId: string): Promise<StoredApproval> {
  const approval = await reach.store.approvals.get(approvalId)
  if (!approval) return unknownApproval(reach, approvalId)
  const { accountId, charId } = reach.caller
  if (viewersOf(approval).includes(viewer(accountId, charId))) return approval
  return refuse('forbidden', `Other agents are asked for the approval "${approvalId}".`, {
    hint: `${call('approvals.list')} lists those that you see.`,
  })
}

async function unknownApproval({ store, caller }: Reach, approvalId: string): Promise<never> {
  const seen = { viewer: viewer(caller.accountId, caller.charId) }
  const options = { sort: { approval_id: -1 }, limit: idsAtMost } as const
  const rows = await store.approval_seats.pick(['approval_id'], seen, options)
  const hint = idHint(approvalId, {
    ids: rows.flat(),
    read: (approval_id) => call('approvals.get', { approval_id }),
    list: call('approvals.list'),
  })
  return refuse('approval_not_found', `There is no approval "${approvalId}".`, { hint })
}

/** Those whose vote counts now, with their accounts. */
export function votersOf(approval: StoredApproval): { id: string; owner: string }[] {
  const { approvers, approver_owners, fell_back, fallback_agent_id, fallback_owner_id } = approval
  if (!fell_back) return approvers.map((id, i) => ({ id, owner: approver_owners[i] ?? '' }))
  return [{ id: fallback_agent_id ?? '', owner: fallback_owner_id ?? '' }]
}

/** The agents as which a caller may vote. */
export function votersHere({ caller }: Pick<Reach, 'caller'>, approval: StoredApproval): string[] {
  const own = votersOf(approval).filter(({ owner }) => owner === caller.accountId)
  return own.flatMap(({ id }) => (mayActFor(caller, id) ? [id] : []))
}

/**
 * The agent that a call votes as: the named one, the one that the key acts as, or the caller's only
 * approver.
 * @throws Refusal `forbidden`, `character_not_found`; `invalid_input` if it must be named
 */
export async function voterOf(
  reach: Reach,
  approval: StoredApproval,
  named: string | undefined,
): Promise<string> {
  const { store, caller } = reach
  const as = named ?? caller.charId
  const asked = votersOf(approval).filter(({ owner }) => owner === caller.accountId)
  if (as !== undefined) {
    await ownRow(reach, as)
    return asked.some(({ id }) => id === as) ? as : notAsked(approval, caller, as)
  }
  const ids = asked.map(({ id }) => id)
  const theirs = { id: { $in: ids }, owner_id: caller.accountId }
  const there = new Set((await store.characters.find(theirs)).map(({ id }) => id))
  const [only, ...others] = ids.filter((id) => there.has(id))
  if (only === undefined) return notAsked(approval, caller, undefined)
  if (approval.require_person === true) return seatOf(approval, caller, [only, ...others])
  return others.length === 0 ? only : unnamed([only, ...others])
}

/** Of several agents a person votes again as the same, and else as one as which no other person has voted. */
function seatOf(
  { votes }: StoredApproval,
  { personId }: KeyCaller,
  [first, ...others]: readonly [string, ...string[]],
): string {
  const ids = [first, ...others]
  const own = votes.find((vote) => vote.decided_by?.person_id === personId)?.by
  if (own !== undefined && ids.includes(own)) return own
  return ids.find((id) => votes.every(({ by }) => by !== id)) ?? first
}

function notAsked(approval: StoredApproval, caller: KeyCaller, as: string | undefined): never {
  const who = as === undefined ? 'None of your agents' : `"${as}"`
  const isNot = as === undefined ? 'is' : 'is not'
  if (approval.fell_back) {
    const message = `${who} ${isNot} the fallback agent, which alone decides now because the approvers' time is up.`
    return refuse('forbidden', message)
  }
  const canChoose = as !== undefined && caller.charId === undefined
  const hint = canChoose ? { hint: 'Name one of the approvers as as_char_id.' } : {}
  return refuse('forbidden', `${who} ${isNot} an approver.`, hint)
}

function unnamed(ids: readonly string[]): never {
  const message = `Several of your agents are approvers: ${ids.slice(0, 20).join(', ')}.`
  return refuse('invalid_input', message, {
    errors: [{ pointer: '/as_char_id', message, code: 'required' }],
    hint: 'Name the one that votes as as_char_id.',
  })
}
