import type { Brain } from '#src/agents/brain.ts'
import type { ApprovalGate } from '../approval-gate.ts'
import type { StoredTask } from '../task.ts'
import { hasOwnersGate, restraintOf, type Guards } from './guards.ts'
import {
  anyOf,
  gained,
  kindOfAny,
  targetsOf,
  usedBy,
  type Reaching,
  type Targets,
} from './targets.ts'

/** The context of a task that a key acting as its agent writes. */
export interface Standing {
  brain: Brain | null
  /** The task that it replaces. */
  previous: StoredTask | undefined
  /** Those of the agent's stored tasks. */
  guards: Guards
}

/** What a task inherits from one that has the same target, origin or tool. */
export interface Inherited {
  gate?: { from: string; gate: ApprovalGate }
  /** The strictest autonomy of those that hold their runs back. */
  autonomy?: { from: string; autonomy: string }
}

/**
 * What a task inherits, so that no task bypasses the gate of another: the strictest gate among the
 * agent's tasks with which it newly shares a target, origin or tool. The same holds for a secret, or
 * tools of the brain, that the agent so far uses only behind gates. The owner has seen what it shared
 * before. Of its own owner's gate and the inherited one, the stricter applies.
 * @param strictness rates how hard the gate of a task is to pass
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
  const [held] = [...linked].sort((a, b) => restraintOf(b) - restraintOf(a))
  return {
    ...(strictest?.approval_gate &&
      strictness(strictest) > own && {
        gate: { from: strictest.task_id, gate: strictest.approval_gate },
      }),
    ...(held?.autonomy &&
      restraintOf(held) > 0 && { autonomy: { from: held.task_id, autonomy: held.autonomy } }),
  }
}

const none: Targets = new Set()

/** The names under which tasks with this target are indexed, including those for any of its kind. */
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

/** Rates how hard a gate is to pass: that it needs a person counts most, then approvers other than its own agent, then their number. */
export function strictnessFor(charId: string): (task: StoredTask) => number {
  return ({ approval_gate: gate }) => {
    if (!gate?.requires_approval) return 0
    const { approvers, min_approvals, on_reject, require_person } = gate
    const others = approvers.filter((id) => id !== charId).length
    const whom = others === 0 ? 0 : others === approvers.length ? 2 : 1
    const who = (require_person === true ? 3 : 0) + whom
    return 1 + who * 10_000 + Math.min(min_approvals, 1000) * 2 + (on_reject === 'abandon' ? 1 : 0)
  }
}
