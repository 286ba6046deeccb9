import { isDeepStrictEqual } from 'node:util'
import type { FaultItem } from '#src/core/errors.ts'
import type { StoredTask, TaskInput } from '../task.ts'
import type { Inherited } from './gate.ts'
import { hasGate } from './guards.ts'
import { needsOwnerItself } from './owner-only.ts'
import { settled } from './settled.ts'

/** What asks for a person: the right `policy` of a key that acts as the agent does not reach it. */
const asking = ['approval_gate', 'quorum'] as const

function needsPerson(task: Pick<TaskInput, 'approval_gate' | 'quorum' | 'autonomy'>): boolean {
  const isGated = hasGate(task) && task.approval_gate?.require_person === true
  return isGated || task.quorum?.require_person === true || task.autonomy === 'supervised'
}

/** The faults of a task by a key with the right `policy`, where a person has to be asked so far. */
export function personFaults(
  sent: TaskInput,
  previous: StoredTask | undefined,
  at: string,
): FaultItem[] {
  if (!previous || !needsPerson(previous)) return []
  const names = [
    ...asking,
    ...(previous.quorum?.require_person === true ? (['runtime'] as const) : []),
    // Its tools say which of their calls a person decides.
    ...(previous.autonomy === 'supervised' ? (['autonomy', 'tools'] as const) : []),
  ]
  return names
    .filter((name) => !isDeepStrictEqual(settled(name, sent[name]), settled(name, previous[name])))
    .map((name) => needsOwnerItself(`${at}/${name}`, `A person is asked: ${alone(name)}`))
}

const alone = (name: string): string => `only the owner itself may change "${name}".`

/** The fault of deleting or leaving out such a task. */
export function personRemovalFaults(task: StoredTask, pointer: string): FaultItem[] {
  if (!needsPerson(task)) return []
  const message = `"${task.task_id}" asks a person: only the owner itself may delete or replace it.`
  return [needsOwnerItself(pointer, message)]
}

/** Of what a task inherits, that by which a person is asked. */
export function personsPart({ gate, autonomy }: Inherited): Inherited {
  return {
    ...(gate?.gate.require_person === true && { gate }),
    ...(autonomy?.autonomy === 'supervised' && { autonomy }),
  }
}
