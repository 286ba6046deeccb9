import type { Brain } from '#src/agents/brain.ts'
import type { StoredCharacter } from '#src/agents/character.ts'
import { withKeptMasked } from '#src/agents/sealed/take.ts'
import type { SecretShelf } from '#src/agents/secrets/stored-secrets.ts'
import type { KeyCaller } from '#src/core/admission/caller.ts'
import type { Warning } from '#src/core/schema.ts'
import type { Sealer } from '#src/core/seal.ts'
import type { Store } from '#src/ports/store.ts'
import { secretsOf } from '../replace-tasks.ts'
import type { StoredTask, TaskInput } from '../task.ts'
import { agentsTask, removalFaults, trustedTask } from './change.ts'
import { personRemovalFaults } from './person-gate.ts'
import { strictnessFor } from './gate.ts'
import { guardsOf } from './guards.ts'
import { isOwner, refuseOwnerOnly } from './owner-only.ts'
import { tasksOf } from '../tasks-of.ts'
import type { Ports } from '#src/core/context.ts'

/** A task that may be written, with its warnings. */
export interface Admitted {
  task: TaskInput
  inheritsGate: boolean
  warnings: Warning[]
  /** The agent's revision that the decision is based on; undefined if none. */
  revision?: number
}

interface Needed extends Pick<Ports, 'clock'> {
  store: Pick<Store, 'characters' | 'tasks' | 'secrets'>
  sealer: Pick<Sealer, 'open'>
  caller: KeyCaller
}

/**
 * A task from a caller as it may be stored. The owner's is taken as sent. That of a key that acts as the
 * agent, or of a program that may not manage the account, gets the gate of a task that it would otherwise bypass. No such key, with any rights, may say
 * where secrets go.
 * @param at its pointer in the input
 * @throws Refusal `owner_only` for what only its owner may write
 */
export async function admittedTask(
  { store, clock, sealer, caller }: Needed,
  sent: TaskInput,
  { charId, previous, at }: { charId: string; previous?: StoredTask; at: string },
): Promise<Admitted> {
  if (isOwner(caller)) return { task: sent, inheritsGate: false, warnings: [] }
  // The agent is read first, because every later change of its tasks increases its revision.
  const agent = await store.characters.get(charId)
  const all = await tasksOf({ store, clock }, [charId])
  const revision = agent && { revision: agent.revision }
  const shelf = await shelfFor(store, charId, [sent])
  const brain = agent?.brain ?? null
  const strictness = strictnessFor(charId)
  const standing = { brain, previous, guards: guardsOf(all, { brain, shelf }, strictness) }
  const asKept = asKeptOf(sent, previous, sealer)
  const check = caller.setsPolicy ? trustedTask : agentsTask
  const { faults, ...admitted } = check(asKept, standing, strictness, at)
  refuseOwnerOnly(faults, caller)
  return { ...admitted, ...revision }
}

/** The secrets of an agent, if any of these tasks selects one. */
export async function shelfFor(
  { secrets }: Pick<Store, 'secrets'>,
  charId: string,
  tasks: readonly TaskInput[],
): Promise<SecretShelf | undefined> {
  const selects = tasks.some(({ selected_secrets }) => selected_secrets.length > 0)
  return selects ? secrets.get(charId) : undefined
}

/** @throws Refusal `owner_only` if a key that acts as the agent would delete a task that restricts it */
export function admitRemoval(caller: KeyCaller, task: StoredTask): void {
  if (isOwner(caller)) return
  const faultsOf = caller.setsPolicy ? personRemovalFaults : removalFaults
  refuseOwnerOnly(faultsOf(task, '/task_id'), caller)
}

/** The tasks of a heart that may replace the existing ones. */
export interface AdmittedTasks {
  tasks: TaskInput[]
  inheriting: ReadonlySet<TaskInput>
  warnings: Warning[]
}

/**
 * The same for a list that replaces all tasks of an agent.
 * @param kept the agent as stored, with its tasks
 * @throws Refusal `owner_only`
 */
export function admittedTasks(
  { caller, sealer }: Pick<Needed, 'caller' | 'sealer'>,
  sent: readonly TaskInput[],
  { agent, tasks: kept }: { agent: Pick<StoredCharacter, 'id'>; tasks: readonly StoredTask[] },
  { brain, shelf }: { brain: Brain | null; shelf: SecretShelf | undefined },
): AdmittedTasks {
  const at = '/character/heart/tasks'
  if (isOwner(caller)) return { tasks: [...sent], inheriting: new Set(), warnings: [] }
  const check = caller.setsPolicy ? trustedTask : agentsTask
  const removal = caller.setsPolicy ? personRemovalFaults : removalFaults
  const named = new Set(sent.map(({ task_id }) => task_id))
  const faults = kept
    .filter(({ task_id }) => !named.has(task_id))
    .flatMap((one) => removal(one, at))
  const inheriting = new Set<TaskInput>()
  const warnings: Warning[] = []
  const strictness = strictnessFor(agent.id)
  const guards = guardsOf(kept, { brain, shelf }, strictness)
  const byId = new Map(kept.map((task) => [task.task_id, task]))
  const tasks = sent.map((input, i) => {
    const previous = byId.get(input.task_id ?? '')
    const asKept = asKeptOf(input, previous, sealer)
    const one = check(asKept, { brain, previous, guards }, strictness, `${at}/${i}`)
    faults.push(...one.faults)
    warnings.push(...one.warnings)
    if (one.inheritsGate) inheriting.add(one.task)
    return one.task
  })
  refuseOwnerOnly(faults, caller)
  return { tasks, inheriting, warnings }
}

/** A task with masks in place of its stored secrets: sending these again is no change. */
function asKeptOf(
  sent: TaskInput,
  previous: StoredTask | undefined,
  sealer: Pick<Sealer, 'open'>,
): TaskInput {
  if (!previous) return sent
  return withKeptMasked(sent, { task: previous, secrets: secretsOf(previous, sealer) })
}
