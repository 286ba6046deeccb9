import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Sealer } from '#src/core/seal.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { barePath } from '#src/agents/tasks/calls.ts'

/** A task that a call of its webhook may start, with the secrets that such a call may be signed with. */
export interface Listening {
  task: StoredTask
  /** Null where one of its triggers for the path asks for no signature. */
  secrets: readonly string[] | null
}

/** The enabled ones of an agent's tasks that have an enabled webhook trigger of this path. */
export function listeningAt(
  tasks: readonly StoredTask[],
  path: string,
  sealer: Sealer,
): Listening[] {
  return tasks.flatMap((task): Listening[] => {
    if (!task.enabled) return []
    const positions = [...task.triggers.keys()].filter((i) => isAt(task.triggers[i], path))
    if (positions.length === 0) return []
    // Judged by what the config shows: a secret that is missing must not open what it guarded.
    const isOpen = positions.some((i) => typeof task.triggers[i]?.config.secret !== 'string')
    if (isOpen) return [{ task, secrets: null }]
    const kept = secretsOf(task, sealer)
    return [{ task, secrets: positions.flatMap((i) => kept[i] ?? []) }]
  })
}

function isAt(trigger: StoredTask['triggers'][number] | undefined, path: string): boolean {
  if (trigger?.type !== 'webhook' || !trigger.enabled) return false
  const own = trigger.config.path
  return typeof own === 'string' && barePath(own) === barePath(path)
}

/** Whether it has the form of a signature: an HMAC-SHA256 in lower-case hex. */
export function isSignature(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/**
 * Whether one of the secrets signs the bytes: the signature is their HMAC-SHA256 in lower-case hex.
 * Every secret is tried, and compared in constant time.
 */
export function isSignedBy(
  secrets: readonly string[],
  bytes: Uint8Array,
  signature: string | undefined,
): boolean {
  const isForm = signature !== undefined && isSignature(signature)
  const given = Buffer.from(isForm ? signature : '0'.repeat(64), 'hex')
  let isSigned = false
  for (const secret of secrets) {
    const own = createHmac('sha256', secret).update(bytes).digest()
    if (timingSafeEqual(own, given)) isSigned = true
  }
  return isForm && isSigned
}
