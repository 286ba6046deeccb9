import { isDeepStrictEqual } from 'node:util'
import type { Brain } from '#src/agents/brain.ts'
import type { FaultItem } from '#src/core/errors.ts'
import type { Warning } from '#src/core/schema.ts'
import type { StoredTask, TaskInput } from '../task.ts'
import { inherited, type Inherited, type Standing } from './gate.ts'
import { hasGate, restraintOf } from './guards.ts'
import { ownersAlone } from './owner-only.ts'
import { secretPlaceNotes } from './secret-places.ts'
import { personFaults, personsPart } from './person-gate.ts'
import { settled } from './settled.ts'
import { gained, targetsOf, usedBy } from './targets.ts'

/** The members of a task that only its owner may change. */
export const policyMembers = [
  'approval_gate',
  'quorum',
  'tools',
  'autonomy',
  'selected_secrets',
] as const

/** A task as a key that acts as its agent may write it. */
export interface AgentsTask {
  task: TaskInput
  /** It inherits the gate of another task. */
  inheritsGate: boolean
  warnings: Warning[]
  /** What only its owner may write. */
  faults: FaultItem[]
}

/** Checks a task from a key that acts as its agent. @param at its pointer in the input */
export function agentsTask(
  sent: TaskInput,
  standing: Standing,
  strictness: (task: StoredTask) => number,
  at: string,
): AgentsTask {
  const { previous } = standing
  const faults = previous
    ? changeFaults(sent, previous, standing, at)
    : newFaults(sent, standing, at)
  const places = secretPlaceNotes(sent, standing.guards.secretPlaces, at)
  if (faults.length === 0) faults.push(...places.faults)
  if (faults.length > 0) return { task: sent, inheritsGate: false, warnings: [], faults }
  const shown = shownAt(at)
  const inheritance = inherited(sent, standing, strictness)
  return { ...withInherited(sent, inheritance, places.warnings, shown), faults }
}

/**
 * Checks a task from a key that acts as its agent with the right `policy`: it sets what the owner may set,
 * but for where a person is asked and where secrets go.
 */
export function trustedTask(
  sent: TaskInput,
  standing: Standing,
  strictness: (task: StoredTask) => number,
  at: string,
): AgentsTask {
  const faults = personFaults(sent, standing.previous, at)
  const places = secretPlaceNotes(sent, standing.guards.secretPlaces, at)
  if (faults.length === 0) faults.push(...places.faults)
  const gate = personsPart(inherited(sent, standing, strictness))
  return { ...withInherited(sent, gate, places.warnings, shownAt(at)), faults }
}

/** The task with what it inherits, and all warnings of it. @param shown its pointer in the answer */
function withInherited(
  sent: TaskInput,
  { gate, autonomy }: Inherited,
  places: readonly Warning[],
  shown: string,
): Omit<AgentsTask, 'faults'> {
  const warnings = places.map((one) => ({ ...one, pointer: shown + (one.pointer ?? '') }))
  const task = { ...sent }
  if (gate) {
    task.approval_gate = gate.gate
    const message = `It waits for an approval like "${gate.from}", because both have a target, origin or tool in common.`
    warnings.push({ code: 'gate_inherited', pointer: `${shown}/approval_gate`, message })
  }
  if (autonomy && restraintOf(autonomy) > restraintOf(sent)) {
    task.autonomy = autonomy.autonomy
    const how =
      autonomy.autonomy === 'manual'
        ? 'Only a person starts it'
        : 'A person decides some of its calls'
    const message = `${how}, like "${autonomy.from}", because both have a target, origin or tool in common.`
    warnings.push({ code: 'autonomy_inherited', pointer: `${shown}/autonomy`, message })
  }
  return { task, inheritsGate: gate !== undefined, warnings }
}

/** Pointers of faults are into the input, those of warnings into the document in the answer. */
export function shownAt(at: string): string {
  return at.replace(/^\/[^/]*/, '')
}

function changeFaults(
  sent: TaskInput,
  previous: StoredTask,
  { brain }: Standing,
  at: string,
): FaultItem[] {
  const faults = policyMembers
    .filter((name) => !isDeepStrictEqual(settled(name, sent[name]), settled(name, previous[name])))
    .map((name) => ownersAlone(`${at}/${name}`, `Only its owner may change "${name}" of a task.`))
  faults.push(...leftFaults(sent, previous, brain, at))
  if (previous.app_paused && sent.enabled) faults.push(pausedWithItsApp(`${at}/enabled`))
  if (!isQuorumTask(previous)) return faults
  if (sent.runtime !== previous.runtime) {
    const message = 'The task is decided by a quorum: only its owner may change its runtime.'
    faults.push(ownersAlone(`${at}/runtime`, message))
  }
  if (previous.enabled && !sent.enabled) faults.push(quorumStays(`${at}/enabled`))
  return faults
}

/** Members that say where a task's work goes. */
const aims = ['runtime', 'api_url', 'output_sharing', 'social_posting'] as const

/** A task that restricts the agent keeps its targets: another task could reach those that it no longer guards. */
function leftFaults(
  sent: TaskInput,
  previous: StoredTask,
  brain: Brain | null,
  at: string,
): FaultItem[] {
  const why = holdOf(previous)
  const lost = [
    ...gained(targetsOf(previous), targetsOf(sent)),
    ...gained(usedBy(previous, brain), usedBy(sent, brain)),
  ]
  if (why === undefined || lost.length === 0) return []
  return aims
    .filter((name) => !isDeepStrictEqual(sent[name], previous[name]))
    .map((name) => {
      const message = `The task ${why}: only its owner may change where its work goes.`
      return ownersAlone(`${at}/${name}`, message)
    })
}

/** Whether a task only gathers the decision of others. */
export function isQuorumTask({ runtime, quorum }: Pick<TaskInput, 'runtime' | 'quorum'>): boolean {
  return runtime === 'human_approval' && quorum !== null
}

/** A quorum task stays on: workflows skip a step that is off. */
export function quorumStays(pointer: string): FaultItem {
  return ownersAlone(pointer, 'The task is decided by a quorum: only its owner may switch it off.')
}

/** A task that was paused with its app stays so. */
export function pausedWithItsApp(pointer: string): FaultItem {
  return ownersAlone(pointer, 'The task is paused with its app: only its owner may resume it.')
}

/** A new task may only have tools and secrets that the agent's tasks have already. */
function newFaults(sent: TaskInput, { guards }: Standing, at: string): FaultItem[] {
  const tools = sent.tools.flatMap((tool, i) =>
    guards.hasTool(tool)
      ? []
      : [
          ownersAlone(
            `${at}/tools/${i}`,
            `No task of the agent has this same tool "${tool.name}".`,
          ),
        ],
  )
  const secrets = sent.selected_secrets.flatMap((name, i) =>
    guards.secrets.has(name)
      ? []
      : [ownersAlone(`${at}/selected_secrets/${i}`, `No task of the agent selects "${name}".`)],
  )
  return [...tools, ...secrets]
}

/** Why only its owner may delete a task, in words; undefined if it does not restrict the agent. */
export function holdOf(
  task: Pick<StoredTask, 'approval_gate' | 'quorum' | 'autonomy'>,
): string | undefined {
  if (hasGate(task)) return 'has an approval gate'
  if (task.quorum !== null) return 'has a quorum'
  const isHeld = task.autonomy !== null && task.autonomy !== 'autonomous'
  return isHeld ? `has the autonomy "${task.autonomy}"` : undefined
}

/** The fault of leaving out or deleting such a task; none if it does not restrict the agent. */
export function removalFaults(task: StoredTask, pointer: string): FaultItem[] {
  const why = holdOf(task)
  if (why === undefined) return []
  return [
    ownersAlone(pointer, `"${task.task_id}" ${why}: only its owner may delete or replace it.`),
  ]
}
