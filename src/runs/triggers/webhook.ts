import type { Sealer } from '#src/core/seal.ts'
import { secretsOf } from '#src/agents/tasks/replace-tasks.ts'
import type { StoredTask } from '#src/agents/tasks/task.ts'
import { barePath } from '#src/agents/tasks/calls.ts'
import { hookSenders } from '#src/core/vocabulary.ts'
import type { Lock } from './sender-signature.ts'

/** A task that a call of its webhook may start, with what its triggers ask of the caller. */
export interface Listening {
  task: StoredTask
  /** Any of them opens it. Null where one of its triggers for the path asks for nothing. */
  locks: readonly Lock[] | null
}

/** The enabled ones of an agent's tasks that have an enabled webhook trigger of this path. */
export function listeningAt(
  tasks: readonly StoredTask[],
  path: string,
  sealer: Pick<Sealer, 'open'>,
): Listening[] {
  return tasks.flatMap((task): Listening[] => {
    if (!task.enabled) return []
    const positions = [...task.triggers.keys()].filter((i) => isAt(task.triggers[i], path))
    if (positions.length === 0) return []
    if (positions.some((i) => isOpen(task.triggers[i]))) return [{ task, locks: null }]
    const kept = secretsOf(task, sealer)
    return [{ task, locks: positions.flatMap((i) => lockOf(task.triggers[i], kept[i]) ?? []) }]
  })
}

type Trigger = StoredTask['triggers'][number] | undefined

function isAt(trigger: Trigger, path: string): boolean {
  if (trigger?.type !== 'webhook' || !trigger.enabled) return false
  const own = trigger.config.path
  return typeof own === 'string' && barePath(own) === barePath(path)
}

/** Judged by what the config shows: a secret that is missing must not open what it guarded. */
function isOpen(trigger: Trigger): boolean {
  const { secret, verify = null } = trigger?.config ?? {}
  return typeof secret !== 'string' && verify === null
}

/** Undefined for what no caller can open: without a secret, or signed in a way that is not known. */
function lockOf(trigger: Trigger, secret: string | undefined): Lock | undefined {
  const named = trigger?.config.verify ?? 'service'
  const verify = (['service', ...hookSenders] as const).find((one) => one === named)
  return secret === undefined || verify === undefined ? undefined : { verify, secret }
}
