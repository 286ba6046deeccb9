import type { Brain } from '#src/characters/brain.ts'
import type { ApprovalGate } from '../approval-gate.ts'
import type { StoredTask, TaskInput } from '../task.ts'
import { gained, meet, targetsOf, usedBy, type Reaching, type Targets } from './targets.ts'

/** Where a task stands that a key acting as its agent writes. */
export interface Standing {
  charId: string
  brain: Brain | null
  /** The task that it replaces. */
  previous: StoredTask | undefined
  /** The other tasks of the agent. */
  others: readonly StoredTask[]
}

/** What a task takes over from one that has the same target, origin or tool. */
export interface Inherited {
  gate?: { from: string; gate: ApprovalGate }
  /** The task that only a person starts. */
  manual?: string
}

/** Whether a task waits for an approval before it starts. */
export function hasGate({ approval_gate }: Pick<TaskInput, 'approval_gate'>): boolean {
  return approval_gate?.requires_approval === true
}

/** Whether it is the owner who said so: a key that acts as the agent may have gated what it made. */
function isOwners(task: StoredTask, member: string): boolean {
  return !(task.by_agent ?? []).includes(member)
}

/**
 * What a task takes over, so that none is a way around another's gate: from every task of the agent whose
 * target, origin or tool it comes to share, the strictest gate. What it shared before, its owner has seen.
 */
export function inherited(next: Reaching, standing: Standing): Inherited {
  const { previous, others, charId } = standing
  const linked = others.filter((other) => comesToMeet(next, other, standing))
  const gated = linked.filter((other) => hasGate(other) && isOwners(other, 'approval_gate'))
  const isGated = previous !== undefined && hasGate(previous) && isOwners(previous, 'approval_gate')
  const [strictest] = isGated
    ? []
    : gated.sort((a, b) => strictnessOf(b, charId) - strictnessOf(a, charId))
  const manual = linked.find(({ autonomy }) => autonomy === 'manual')
  return {
    ...(strictest?.approval_gate && {
      gate: { from: strictest.task_id, gate: strictest.approval_gate },
    }),
    ...(manual && { manual: manual.task_id }),
  }
}

function comesToMeet(next: Reaching, other: StoredTask, standing: Standing): boolean {
  const { previous } = standing
  const reached = gained(targetsOf(next), previous ? targetsOf(previous) : none)
  if (meet(reached, targetsOf(other))) return true
  const used = gained(
    usedBy(next, standing.brain),
    previous ? usedBy(previous, standing.brain) : none,
  )
  return [...used].some((one) => isGuardedUse(one, other, standing))
}

const none: Targets = new Set()

/** A secret, or the tools of the brain, that the agent uses behind gates alone. */
function isGuardedUse(
  one: string,
  other: StoredTask,
  { others, previous, brain }: Standing,
): boolean {
  if (!usedBy(other, brain).has(one)) return false
  const all = previous ? [...others, previous] : others
  return all.every((task) => hasGate(task) || !usedBy(task, brain).has(one))
}

/** How hard a gate is to pass: agents other than its own count most, then their number. */
function strictnessOf({ approval_gate: gate }: StoredTask, charId: string): number {
  if (!gate) return 0
  const { approvers, min_approvals, on_reject } = gate
  const others = approvers.filter((id) => id !== charId).length
  const whom = others === 0 ? 0 : others === approvers.length ? 2 : 1
  return whom * 10_000 + Math.min(min_approvals, 1000) * 2 + (on_reject === 'abandon' ? 1 : 0)
}
