import type { Ports } from '#src/core/context.ts'
import { isOvertaken } from '#src/core/revision.ts'
import { secondsAfter, timestamp } from '#src/core/time.ts'
import type { Write } from '#src/ports/store.ts'
import { runEvent } from '../events.ts'
import { announce, end } from '../ending/end-run.ts'
import { hasEnded, type StoredRun } from '../run.ts'
import { taskOf } from '#src/agents/tasks/of-run.ts'
import { asRead, type StoredApproval } from './approval.ts'
import { lookAgainSeconds, mayApprove, noticesOf, requestedEvents } from './open.ts'
import { seated, viewersOf } from './viewer-row.ts'
import { settlementOf } from './settle.ts'
import { cancelled } from './withdraw.ts'

/** How long the fallback agent has for its vote. */
const fallbackSeconds = 86_400
const putOffSeconds = 60

/**
 * Handles an approval that is due: its time is up, so the fallback agent is asked or it expires; or its
 * run or task is gone. Of several concurrent attempts only one changes it.
 * @returns whether this one did
 */
export async function lapse(ports: Ports, approval: StoredApproval, now: Date): Promise<boolean> {
  try {
    await lapsed(ports, approval, now)
    return true
  } catch (cause) {
    // It was decided or handled at the same moment.
    if (!isOvertaken(cause)) throw cause
    return false
  }
}

/** Postpones an approval that could not be handled, so that it holds up no other. */
export async function putOff(
  { store }: Pick<Ports, 'store'>,
  approval: StoredApproval,
  now: Date,
): Promise<void> {
  const due_at = secondsAfter(now, putOffSeconds)
  await store.approvals.update(asRead(approval), { $set: { due_at } })
}

async function lapsed(ports: Ports, approval: StoredApproval, now: Date): Promise<void> {
  const { store } = ports
  const run = await store.runs.get(approval.run_id)
  if (!run || hasEnded(run)) return store.commit(cancelled(approval, now))
  const [task, character] = await Promise.all([
    taskOf(store, run),
    store.characters.get(run.char_id),
  ])
  if (!task || character?.owner_id !== run.owner_id) {
    const reason = character ? 'task_deleted' : 'character_deleted'
    await end(ports, run, { status: 'cancelled', error: null, reason })
    return
  }
  const isUp = approval.expires_at !== null && approval.expires_at <= timestamp(now)
  if (isUp && !approval.fell_back && (await fallBack(ports, approval, run, now))) return
  if (!isUp && (await isReachable(ports, approval))) return lookAgain(ports, approval, now)
  const decided = { state: 'expired', votes: approval.votes, run, task } as const
  const { writes, ending } = await settlementOf(ports, approval, decided, now)
  await store.commit(writes)
  await announce(ports, ending)
}

/** @returns whether there is a fallback agent, which was asked now */
async function fallBack(
  ports: Ports,
  approval: StoredApproval,
  run: StoredRun,
  now: Date,
): Promise<boolean> {
  const { store } = ports
  const { fallback_agent_id, fallback_owner_id, owner_id } = approval
  const agent = fallback_agent_id && (await store.characters.get(fallback_agent_id))
  // The id may belong to another account's agent than the intended one now.
  if (!agent || agent.owner_id !== (fallback_owner_id ?? owner_id)) return false
  // That account has seen nothing of it yet, and the friendship may have ended since.
  if (!(await mayApprove(store, agent, run))) return false
  const until = secondsAfter(now, fallbackSeconds)
  const change = {
    fell_back: true,
    fallback_owner_id: agent.owner_id,
    expires_at: until,
    due_at: until,
  }
  const asked = { ...approval, ...change, ballot: approval.ballot + 1 }
  const data = { approval_id: approval.id, fallback_agent_id }
  const writes: Write[] = [
    { in: 'approvals', update: asRead(approval), change: { $set: change, $inc: { ballot: 1 } } },
    ...seated(asked, viewersOf(approval)),
    { in: 'run_events', insert: runEvent(run.id, 'approval.fell_back', now, data) },
    ...(await requestedEvents(ports, run, asked, now)),
    ...noticesOf(ports, asked, [agent], now),
  ]
  await store.commit(writes)
  ports.waiting.tell(run.id)
  return true
}

/** Whether enough of the approvers still exist to approve it. */
async function isReachable({ store }: Ports, approval: StoredApproval): Promise<boolean> {
  const { approvers, approver_owners, votes, needed, fell_back, require_person } = approval
  // The owner is always there.
  if (approval.kind === 'secret_origin') return true
  // The fallback agent's time is short, so it expires by itself.
  if (fell_back) return true
  const owners = new Map(approvers.map((id, i) => [id, approver_owners[i]]))
  const said = new Map(votes.map(({ by, decision }) => [by, decision]))
  const there = await store.characters.find({ id: { $in: approvers } })
  const own = there.filter(({ id, owner_id }) => owner_id === owners.get(id))
  if (require_person === true) {
    const gone = votes.filter(({ by }) => !own.some(({ id }) => id === by))
    const agreed = gone
      .filter(({ decision }) => decision === 'approve')
      .map(({ by }) => owners.get(by))
    return new Set([...own.map(({ owner_id }) => owner_id), ...agreed]).size >= needed
  }
  const open = own.filter(({ id }) => !said.has(id))
  const agreed = votes.filter(({ decision }) => decision === 'approve').length
  // An approver that rejected it and still exists may change its vote.
  const against = there.filter(({ id }) => said.get(id) === 'reject').length
  return agreed + open.length + against >= needed
}

async function lookAgain({ store }: Ports, approval: StoredApproval, now: Date): Promise<void> {
  const next = secondsAfter(now, lookAgainSeconds)
  const { expires_at } = approval
  const due_at = expires_at !== null && expires_at < next ? expires_at : next
  // This changes nothing that a vote depends on.
  await store.approvals.update(asRead(approval), { $set: { due_at } })
}
