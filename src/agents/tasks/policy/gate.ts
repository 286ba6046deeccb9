import type { Brain } from '#src/agents/brain.ts'
import type { ApprovalGate } from '../approval-gate.ts'
import type { StoredTask } from '../task.ts'
import { hasOwnersGate, type Guards } from './guards.ts'
import {
  anyOf,
  gained,
  kindOfAny,
  targetsOf,
  usedBy,
  type Reaching,
  type Targets,
} from './targets.ts'

/** Where a task stands that a key acting as its agent writes. */
export interface Standing {
  brain: Brain | null
  /** The task that it replaces. */
  previous: StoredTask | undefined
  /** Of the agent's tasks as they are. */
  guards: Guards
}

/** What a task takes over from one that has the same target, origin or tool. */
export interface Inherited {
  gate?: { from: string; gate: ApprovalGate }
  /** The task that only a person starts. */
  manual?: string
}

/**
 * What a task takes over, so that none is a way around another's gate: from every task of the agent whose
 * target, origin or tool it comes to share, the strictest gate; and so where it comes to use a secret, or
 * the tools of the brain, that the agent uses behind gates alone. What it shared before, its owner has seen; of its owner's gate and the
 * other's the stricter one stays.
 * @param strictness how hard the gate of a task is to pass
 */
export function inherited(
  next: Reaching,
  { previous, brain, guards }: Standing,
  strictness: (task: StoredTask) => number,
): Inherited {
  const reached = gained(targetsOf(next), previous ? targetsOf(previous) : none)
  const used = gained(usedBy(next, brain), previous ? usedBy(previous, brain) : none)
  const shared = new Set<string>()
  for (const one of reached) for (const name of namesOf(one)) shared.add(name)
  for (const one of used) if (!guards.open.has(one)) shared.add(one)
  const linked = new Set<StoredTask>()
  for (const one of shared) for (const task of guards.at.get(one) ?? []) linked.add(task)
  if (previous) for (const task of linked) if (task.id === previous.id) linked.delete(task)
  const strictest = strictestOf(linked, strictness)
  const own = previous && hasOwnersGate(previous) ? strictness(previous) : 0
  const manual = [...linked].find(({ autonomy }) => autonomy === 'manual')
  return {
    ...(strictest?.approval_gate &&
      strictness(strictest) > own && {
        gate: { from: strictest.task_id, gate: strictest.approval_gate },
      }),
    ...(manual && { manual: manual.task_id }),
  }
}

const none: Targets = new Set()

/** Under which names tasks stand that have this target: those of any of its kind too. */
function namesOf(target: string): string[] {
  const any = anyOf(target)
  if (any === undefined) return [target]
  return target === any ? [kindOfAny(target) ?? any] : [target, any]
}

function strictestOf(
  tasks: Iterable<StoredTask>,
  strictness: (task: StoredTask) => number,
): StoredTask | undefined {
  let found: StoredTask | undefined
  for (const task of tasks) {
    if (!hasOwnersGate(task)) continue
    if (!found || strictness(task) > strictness(found)) found = task
  }
  return found
}

/** How hard a gate is to pass: agents other than its own count most, then their number. */
export function strictnessFor(charId: string): (task: StoredTask) => number {
  return ({ approval_gate: gate }) => {
    if (!gate?.requires_approval) return 0
    const { approvers, min_approvals, on_reject } = gate
    const others = approvers.filter((id) => id !== charId).length
    const whom = others === 0 ? 0 : others === approvers.length ? 2 : 1
    return 1 + whom * 10_000 + Math.min(min_approvals, 1000) * 2 + (on_reject === 'abandon' ? 1 : 0)
  }
}
