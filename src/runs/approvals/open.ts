import { resolveAgent } from '#src/agents/app/app.ts'
import { policyOf } from '#src/accounts/policy.ts'
import { noticeTo } from '#src/accounts/notice.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import type { Ports } from '#src/core/context.ts'
import { newId } from '#src/core/ids.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import { emitted } from '#src/events/emit.ts'
import { call } from '#src/core/words/reference.ts'
import { marked, marksOf, type Source } from '#src/core/text/untrusted.ts'
import { mayDo } from '#src/agents/friends/permission.ts'
import type { Store, Write } from '#src/ports/store.ts'
import { runEvent } from '../events.ts'
import { RunFailure } from '../failure.ts'
import { Parking } from '../ending/park.ts'
import type { StoredRun } from '../run.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import type { StoredApproval } from './approval.ts'
import { approvalUrl } from './person.ts'
import { fingerprintOf } from './question.ts'
import { seated } from './viewer-row.ts'
import { seatsFor, voicesOf } from './voices.ts'

/** How often a pending approval is checked: its task may have been deleted. */
export const lookAgainSeconds = 86_400
/** Longer limits count as ten years. */
const secondsAtMost = 3652 * 86_400
/** Each of them gets a row of its own. */
const approversAtMost = 100

/** What is asked, of whom. */
export interface ApprovalTerms {
  /** Whether the task starts, a quorum that is the whole run, or a question that a run asks midway. */
  kind: StoredApproval['kind']
  prompt: string
  /** Names as in the task: local ids of its app first. None: the owning agent. */
  approvers: readonly string[]
  /** How many must approve. */
  needed: number
  /** Whether only a signed-in person may decide. */
  requirePerson: boolean
  /** Whether an approval may change the input. */
  allowEdit: boolean
  /** Null: it waits without a limit. */
  timeoutSeconds: number | null
  /** Named like the approvers; asked when the time is up. */
  fallbackAgentId: string | null
  onReject: StoredApproval['on_reject']
  /** Of kind `tool`: the call. */
  toolCall?: StoredApproval['tool_call']
  /** Of kind `secret_origin`: what would go where. */
  secretOrigins?: StoredApproval['secret_origins']
}

/**
 * Pauses a run until agents have decided: it waits without a claim. The approval, the notices and the
 * events are in the same commit.
 * @throws RunFailure `approval_unreachable` if fewer of the approvers may be asked than must
 * approve, `too_many_approvers` for more than a hundred
 */
export async function approvalParking(
  ports: Pick<Ports, 'store' | 'settings'>,
  run: StoredRun,
  task: StoredTask,
  terms: ApprovalTerms,
  now: Date,
): Promise<Parking> {
  const isOwners = terms.kind === 'secret_origin'
  const approvers = isOwners ? [] : await approversOf(ports, run, terms)
  const ends = endOf(terms, now)
  const looked = secondsAfter(now, lookAgainSeconds)
  const fallback = await fallbackOf(ports, run, terms)
  const id = newId('apr')
  const approval: StoredApproval = {
    id,
    kind: terms.kind,
    run_id: run.id,
    char_id: run.char_id,
    task_id: task.task_id,
    prompt: terms.prompt,
    input: run.input,
    ...marked(sourceOfQuestion(run, approvers)),
    state: 'pending',
    approvers: approvers.map(({ id }) => id),
    ...(terms.toolCall && { tool_call: terms.toolCall }),
    ...(terms.secretOrigins && { secret_origins: [...terms.secretOrigins] }),
    needed: terms.needed,
    require_person: terms.requirePerson || (await isForPersons(ports, run, terms, approvers)),
    ...(terms.allowEdit && { allow_edit: true }),
    url: approvalUrl(ports, id),
    votes: [],
    expires_at: ends,
    fallback_agent_id: fallback.id,
    follow_up_run_id: null,
    created_at: timestamp(now),
    decided_at: null,
    owner_id: run.owner_id,
    fingerprint: fingerprintOf({ ...terms, tool_call: terms.toolCall }, run, task),
    on_reject: terms.onReject,
    approver_owners: approvers.map(({ owner_id }) => owner_id),
    fell_back: false,
    fallback_owner_id: fallback.ownerId,
    ballot: 0,
    due_at: ends !== null && ends < looked ? ends : looked,
    ...(run.sender !== undefined && { sender: run.sender }),
    is_parted: true,
  }
  const writes: Write[] = [
    { in: 'approvals', insert: approval },
    ...seated(approval),
    {
      in: 'run_events',
      insert: runEvent(run.id, 'run.waiting_approval', now, { approval_id: approval.id }),
    },
    ...(await requestedEvents(ports, run, approval, now)),
    ...noticesOf(ports, approval, approvers, now),
  ]
  return new Parking(waitingFor(approval.id), writes)
}

/**
 * Whether the account leaves approvals to persons, and they can give this one: where fewer persons are asked than must
 * approve, each answers for every agent of their account that is asked.
 */
async function isForPersons(
  { store }: Pick<Ports, 'store'>,
  { owner_id }: StoredRun,
  { needed, kind }: ApprovalTerms,
  approvers: readonly Approver[],
): Promise<boolean> {
  if (kind === 'secret_origin') return false
  const isAsked = policyOf(await store.accounts.get(owner_id)).approvals_need_person
  return isAsked && (await personsAmong(store, approvers)) >= needed
}

function waitingFor(approval_id: string): Parking['parked'] {
  const status = 'waiting_approval'
  return { status, reason: null, waits_for: 'approval', due_at: null, approval_id }
}

/** A question is marked as its run is; agents of other accounts read what this one has written. */
function sourceOfQuestion(run: StoredRun, approvers: readonly Approver[]): Source | undefined {
  const { source } = marksOf(run)
  const isOutside = approvers.some(({ owner_id }) => owner_id !== run.owner_id)
  if (source || !isOutside) return source
  return { kind: 'approval', account: run.owner_id, char_id: run.char_id }
}

function endOf({ timeoutSeconds }: ApprovalTerms, now: Date): string | null {
  if (timeoutSeconds === null) return null
  return secondsAfter(now, Math.min(timeoutSeconds, secondsAtMost))
}

type Approver = Pick<StoredCharacter, 'id' | 'owner_id'>

/**
 * Whether an agent may be asked about a run. An id that a task names may belong to any account, now or
 * later, so an agent of another account needs a friendship.
 */
export function mayApprove(
  store: Pick<Store, 'edges'>,
  agent: Approver,
  { char_id, owner_id }: Pick<StoredRun, 'char_id' | 'owner_id'>,
): Promise<boolean> {
  return mayDo(store, agent, { id: char_id, owner_id }, 'approve')
}

async function approversOf(
  { store }: Pick<Ports, 'store'>,
  run: StoredRun,
  { approvers: named, needed, requirePerson }: ApprovalTerms,
): Promise<Approver[]> {
  const app = run.app_id && named.length > 0 ? await store.apps.get(run.app_id) : undefined
  const resolved = named.map((name) => (app ? resolveAgent(name, app.agents) : name))
  const ids = [...new Set(named.length > 0 ? resolved : [run.char_id])]
  if (ids.length > approversAtMost) {
    const message = `The run asks ${ids.length} agents: ${approversAtMost} may be asked at most.`
    throw new RunFailure('too_many_approvers', message)
  }
  const found = new Map<string, Approver>()
  for (const row of await store.characters.pick(['id', 'owner_id'], { id: { $in: ids } })) {
    const one = { id: String(row[0]), owner_id: String(row[1]) }
    if (await mayApprove(store, one, run)) found.set(one.id, one)
  }
  const approvers = ids.flatMap((id) => found.get(id) ?? [])
  if (requirePerson) await checkPersons(store, approvers, needed)
  if (approvers.length >= needed) return approvers
  const missing = ids.filter((id) => !found.has(id)).map((id) => `"${id}"`)
  throw new RunFailure(
    'approval_unreachable',
    `The run needs ${needed} approvals, and ${approvers.length} of its approvers may be asked` +
      (missing.length > 0
        ? `: no agent of the account, nor a friend with the permission "approve", is ${missing.slice(0, 10).join(', ')}.`
        : '.'),
  )
}

/** How many persons can decide, each as one agent that is asked. */
async function personsAmong(
  store: Pick<Store, 'accounts' | 'memberships'>,
  approvers: readonly Approver[],
): Promise<number> {
  const owners = approvers.map(({ owner_id }) => owner_id)
  return seatsFor(owners, await voicesOf(store, owners))
}

async function checkPersons(
  store: Pick<Store, 'accounts' | 'memberships'>,
  approvers: readonly Approver[],
  needed: number,
): Promise<void> {
  if (needed < 2 || approvers.length < needed) return
  const persons = await personsAmong(store, approvers)
  if (persons >= needed) return
  const one = 'one person may decide for the agents that are asked'
  const many = `${persons} may decide for the agents that are asked`
  const message = `The run needs the approval of ${needed} persons, and ${persons === 1 ? one : many}.`
  throw new RunFailure('approval_unreachable', message)
}

/** The agent that is asked when the time is up; its owner only if it may be asked now. */
async function fallbackOf(
  { store }: Pick<Ports, 'store'>,
  run: StoredRun,
  { fallbackAgentId: named }: ApprovalTerms,
): Promise<{ id: string | null; ownerId: string | null }> {
  if (!named) return { id: null, ownerId: null }
  const app = run.app_id ? await store.apps.get(run.app_id) : undefined
  const id = app ? resolveAgent(named, app.agents) : named
  const agent = await store.characters.get(id)
  const ownerId = agent && (await mayApprove(store, agent, run)) ? agent.owner_id : null
  return { id, ownerId }
}

/** The events for listeners when agents are asked, without the text of the question. */
export async function requestedEvents(
  { store }: Pick<Ports, 'store'>,
  run: StoredRun,
  approval: StoredApproval,
  now: Date,
): Promise<Write[]> {
  const { id: approval_id, run_id, char_id, task_id, needed, expires_at } = approval
  const approvers = approval.fell_back ? [approval.fallback_agent_id] : approval.approvers
  const about = { ownerId: run.owner_id, charId: run.char_id, appId: run.app_id, cause: run }
  const data = { approval_id, run_id, char_id, task_id, approvers, needed, expires_at }
  const requested = await emitted(store, { ...about, type: 'approval.requested', data }, now)
  if (approval.fell_back) return requested
  const waiting = { approval_id, run_id, char_id, task_id, status: 'waiting_approval' }
  const told = { ...about, type: 'run.waiting_approval', data: waiting }
  return [...requested, ...(await emitted(store, told, now))]
}

/** A notice to the owner, and to each other account whose agent is asked. */
export function noticesOf(
  ports: Pick<Ports, 'settings'>,
  approval: StoredApproval,
  asked: readonly Approver[],
  now: Date,
): Write[] {
  const told = new Set([approval.owner_id, ...asked.map(({ owner_id }) => owner_id)])
  const what = `A run of the task "${approval.task_id}" of the agent "${approval.char_id}"`
  const whose = approval.fell_back
    ? `the vote of "${approval.fallback_agent_id}", which decides alone now, on the approval`
    : 'the approval'
  const url = approvalUrl(ports, approval.id)
  const [read, decide] = [call('approvals.get'), call('approvals.decide')]
  const how =
    approval.require_person === true
      ? `Only a person who is signed in decides it, at ${url}.`
      : approval.kind === 'secret_origin'
        ? `Read it with ${read}, and decide it with ${decide}, by the account's own key or signed in.`
        : `Read it with ${read}, and vote with ${decide}, or as a person at ${url}.`
  const message = `${what} waits for ${whose} ${approval.id}. ${how}`
  const input = { approval_id: approval.id }
  const next = ['approvals.get', 'approvals.decide'].map((operation) => ({ operation, input }))
  return [...told].map((ownerId) =>
    noticeTo(
      ownerId,
      'approval.requested',
      message,
      { ...approval, approval_id: approval.id },
      now,
      { next },
    ),
  )
}
