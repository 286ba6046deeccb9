import { CharacterInput, platformMembersOfCharacter } from '../character.ts'
import { idFromName } from '../name.ts'
import { leaveSettingsOut, lostSetting } from '../sealed/leave-out.ts'
import { randomSuffix } from '#src/core/ids.ts'
import { parsed } from '#src/core/input/validate.ts'
import { isMap } from '#src/core/maps.ts'
import type { Warning } from '#src/core/schema.ts'
import { cleaned } from '../imports/clean.ts'
import { Report } from '../imports/report.ts'
import type { AgentTexts, Copy, CopyTerms } from './copyist.ts'
import { isHeartbeatTask } from '../tasks/heartbeat.ts'
import { secretMask } from '../tasks/secrets.ts'
import { asSet } from '../visibility/friends-level.ts'
import { platformMembersOfTask } from '../tasks/task.ts'
import { parted } from './bulk.ts'
import { tasksOf, withTasks } from './export.ts'
import { forStranger } from './for-stranger.ts'

type Members = Record<string, unknown>

/**
 * Another agent like a stored one. No copy holds a secret. A caller that does not own the original
 * gets what the agent is and does, but not with whom it deals.
 * @throws Refusal `invalid_input` if the stored agent is no longer valid input
 */
export function copyOf({ agent, friends_private, tasks }: AgentTexts, terms: CopyTerms): Copy {
  const report = new Report()
  const warnings: Warning[] = []
  // Stored here, so each is an object.
  const whole = withTasks(
    asSet(JSON.parse(agent) as Members, friends_private),
    tasks.map((text) => JSON.parse(text) as Members),
  )
  const original = String(whole.id)
  for (const name of platformMembersOfCharacter) Reflect.deleteProperty(whole, name)
  for (const [i, task] of tasksOf(whole).entries()) {
    for (const name of platformMembersOfTask) Reflect.deleteProperty(task, name)
    if (isMap(task.reliability)) task.reliability.pause_reason = null
    task.rating_summary = null
    withoutSecret(task, `/heart/tasks/${i}`, warnings)
  }
  leaveSettingsOut(whole, (pointer, list) => {
    // To another account even the pointers would reveal too much.
    if (!terms.isOwner) return
    const message = lostSetting(list, 'Its secret was not copied')
    warnings.push({ code: 'secret_lost', pointer, message })
  })
  // An object stays an object.
  const clean = cleaned(whole, report, { isForeign: false }) as Members
  // As above.
  for (const { pointer } of terms.isOwner ? report.of('abode').dropped : []) {
    warnings.push({ code: 'secret_left_out', pointer, message: 'It held a secret: set it again.' })
  }
  const all = parsed(CharacterInput, clean, '')
  const name = terms.name ?? all.name
  const id = terms.id ?? idFromName(name, randomSuffix())
  const input = terms.isOwner ? all : forStranger(all, { id, original }, warnings)
  const copy = { ...input, id, name }
  renamed(copy, original, id)
  if (terms.isOwner) noteActing(copy, warnings)
  return { ...parted(copy), warnings }
}

/** A signed hook must not become open to everyone: without its secret the trigger is off. */
function withoutSecret(task: Members, at: string, warnings: Warning[]): void {
  const triggers = Array.isArray(task.triggers) ? task.triggers.filter(isMap) : []
  for (const [i, trigger] of triggers.entries()) {
    if (!isMap(trigger.config) || trigger.config.secret !== secretMask) continue
    Reflect.deleteProperty(trigger.config, 'secret')
    trigger.enabled = false
    const pointer = `${at}/triggers/${i}/config/secret`
    const message = 'Its secret was not copied: the trigger is off until it is given a new one.'
    warnings.push({ code: 'secret_lost', pointer, message })
  }
}

/** Tasks that name their own agent name the copy from now on. */
function renamed({ heart }: CharacterInput, from: string, to: string): void {
  const own = (id: string): string => (id === from ? to : id)
  for (const task of heart?.tasks ?? []) {
    const { output_sharing, approval_gate, quorum } = task
    if (output_sharing?.target_agent_id === from) output_sharing.target_agent_id = to
    if (approval_gate) approval_gate.approvers = approval_gate.approvers.map(own)
    if (quorum) {
      quorum.approver_agent_ids = quorum.approver_agent_ids.map(own)
      if (quorum.fallback_agent_id === from) quorum.fallback_agent_id = to
    }
    task.selected_connections = task.selected_connections.map(own)
    for (const { config } of task.triggers) {
      if (config.from_agent_id === from) config.from_agent_id = to
    }
  }
}

/** Warns that schedules and events now start the tasks of both agents. */
function noteActing({ heart }: CharacterInput, warnings: Warning[]): void {
  const acting = (heart?.tasks ?? []).some(
    (task) =>
      task.enabled &&
      ((heart?.heartbeat_interval && isHeartbeatTask(task)) ||
        task.triggers.some(
          ({ type, enabled }) => enabled && (type === 'cron' || type === 'event'),
        )),
  )
  if (!acting) return
  const message = "The copy's schedules and events start its tasks, as those of the original do."
  warnings.push({ code: 'copy_acts', pointer: '/heart/tasks', message })
}
