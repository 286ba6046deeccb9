import { type Toolset, changesNothing, isOfCommons } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'

/** Hints for hosts about a tool, so that they know when to ask a person. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  destructiveHint?: boolean | undefined
  idempotentHint?: boolean | undefined
  openWorldHint: boolean
}

/** What these start may call webhooks and other addresses that a manifest or a task names. */
const reachingOut: readonly Toolset[] = ['apps', 'tasks', 'runs', 'messages']

/** The annotations of an operation, the same for every caller. */
export function annotationsOf(op: Operation): ToolAnnotations {
  const { method } = op.http
  const reads = changesNothing(op)
  return {
    readOnlyHint: reads,
    destructiveHint: op.destructive ?? method === 'DELETE',
    idempotentHint: op.repeatable ?? (reads || method !== 'POST'),
    openWorldHint: isOpen(op, reads),
  }
}

/** Strangers write its answer or read its input, or it sends to external addresses. */
function isOpen(op: Operation, reads: boolean): boolean {
  if (op.reachesOut || op.untrusted) return true
  if (reads || op.http.method === 'GET') return false
  return isOfCommons(op) || op.toolsets.some((name) => reachingOut.includes(name))
}
