import type { Notices } from '#src/agents/tasks/notices.ts'
import { maskFault, secretMask } from '#src/agents/tasks/secrets.ts'
import type { Steps } from '#src/core/turns/portions.ts'
import { otherTaskId } from '#src/agents/heart.ts'
import { noteLocalId, type Inspection } from './inspection.ts'
import { connectionsAtMost } from './manifest.ts'
import { firstItems, items, members } from '#src/core/input/loose.ts'
import { secretPlaces } from './secrets.ts'
import { noteTaskReferences } from './task-references.ts'

/** Finds duplicate names in a manifest, and references to things that do not exist. */
export function* referenceSteps(inspection: Inspection): Steps<void> {
  noteDoubles(inspection)
  yield
  noteConnections(inspection)
  yield
  noteTeam(inspection)
  noteSecrets(inspection)
  for (const agent of inspection.outline.agents) {
    yield
    noteTaskReferences(inspection, agent)
  }
}

function noteDoubles({ outline, errors, warnings }: Inspection): void {
  for (const agent of outline.agents) {
    const { at, localId, id } = agent
    if (localId !== undefined && outline.localIds.get(localId) !== agent) {
      const message = `"${localId}" is the local_id of another agent`
      errors.add('duplicate_local_id', `${at}/local_id`, message)
    } else if (id !== undefined && outline.ids.get(id) !== agent) {
      errors.add('duplicate_id', `${at}/id`, `"${id}" is the id of another agent`)
    }
    const [ids, names] = [new Set<string>(), new Set<string>()]
    for (const { at, taskId, name } of agent.tasks) {
      if (taskId !== undefined && ids.has(taskId)) {
        errors.add('duplicate_task_id', `${at}/task_id`, otherTaskId(taskId))
      }
      if (taskId !== undefined) ids.add(taskId)
      else if (name !== undefined && names.has(name)) {
        const message = `Two tasks without a task_id are called "${name}": an update cannot tell them apart.`
        warnings.add('duplicate_task_name', `${at}/name`, message)
      } else if (name !== undefined) names.add(name)
    }
  }
}

function noteConnections(inspection: Inspection): void {
  const { errors } = inspection
  const seen = new Set<string>()
  for (const [i, connection] of firstItems(
    inspection.outline.raw.connections,
    connectionsAtMost,
  ).entries()) {
    const at = `/connections/${i}`
    const { from, to } = members(connection)
    for (const [member, named] of Object.entries({ from, to })) {
      noteLocalId(inspection, named, `${at}/${member}`)
    }
    if (typeof from !== 'string' || typeof to !== 'string') continue
    if (from === to) errors.add('connection_to_self', at, `"${from}" is connected to itself`)
    const pair = JSON.stringify([from, to])
    if (seen.has(pair)) {
      errors.add('duplicate_connection', at, `"${from}" is already connected to "${to}"`)
    }
    seen.add(pair)
  }
}

function noteTeam(inspection: Inspection): void {
  const named = new Set<unknown>()
  const at = '/team/member_local_ids'
  for (const [i, member] of items(
    members(inspection.outline.raw.team).member_local_ids,
  ).entries()) {
    noteLocalId(inspection, member, `${at}/${i}`)
    if (named.has(member)) {
      inspection.warnings.add('duplicate_member', `${at}/${i}`, 'This agent is already a member.')
    }
    named.add(member)
  }
}

function noteSecrets(inspection: Inspection): void {
  for (const [i, secret] of items(inspection.outline.raw.secrets).entries()) {
    const at = `/secrets/${i}`
    for (const [j, named] of items(members(secret).agents).entries()) {
      noteLocalId(inspection, named, `${at}/agents/${j}`)
    }
    if (Object.hasOwn(members(secret), 'value')) {
      const message =
        'A manifest is read back as it was sent, so it names secrets only: set the value on the agent'
      inspection.errors.add('secret_value_refused', `${at}/value`, message)
    }
  }
}

/** Finds masks in places of secrets: they stand for stored values, and a new app has none. */
export function* maskedSteps(errors: Notices, raw: unknown): Steps<void> {
  for (const { holder, name, pointer } of secretPlaces(raw)) {
    yield
    if (holder[name] !== secretMask) continue
    const { code, message } = maskFault(pointer)
    errors.add(code, pointer, message)
  }
}
