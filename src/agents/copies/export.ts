import { cleaned } from '../imports/clean.ts'
import { exportFormat, exportVersion } from '../imports/formats.ts'
import { Report } from '../imports/report.ts'
import { isMap } from '#src/core/maps.ts'
import type { AgentTexts } from './copyist.ts'
import { secretMask } from '../tasks/secrets.ts'
import { asSet } from '../visibility/friends-level.ts'
import { platformMembersOfTask } from '../tasks/task.ts'
import { platformMembersOfCharacter } from '../character.ts'
import { leaveSettingsOut, lostSetting } from '../sealed/leave-out.ts'

type Members = Record<string, unknown>

/** An exported agent: without secrets and without the members that only the platform sets. */
export interface Exported {
  format: typeof exportFormat
  version: typeof exportVersion
  character: Members
  left_out: { pointer: string; reason: string }[]
}

/** The JSON of an export. @param texts the stored texts of the agent and its tasks, in order */
export function exportOf({ agent, friends_private, tasks }: AgentTexts): string {
  const report = new Report()
  // Stored here, so each is an object.
  const whole = withTasks(
    asSet(JSON.parse(agent) as Members, friends_private),
    tasks.map((text) => JSON.parse(text) as Members),
  )
  for (const name of platformMembersOfCharacter) Reflect.deleteProperty(whole, name)
  for (const [i, task] of tasksOf(whole).entries()) {
    for (const name of platformMembersOfTask) Reflect.deleteProperty(task, name)
    leaveSecretsOut(task, report, `/heart/tasks/${i}`)
    if (isMap(task.reliability)) task.reliability.pause_reason = null
    task.rating_summary = null
  }
  leaveSettingsOut(whole, (pointer, list) => {
    report.drop(pointer, lostSetting(list, 'Its secret is not exported'))
  })
  // An object stays one.
  const character = cleaned(whole, report, { isForeign: false }) as Members
  const left_out = report.of('abode').dropped
  const exported: Exported = { format: exportFormat, version: exportVersion, character, left_out }
  return JSON.stringify(exported)
}

/** An agent with its tasks, as every read returns it. */
export function withTasks(agent: Members, tasks: readonly Members[]): Members {
  const settings = { heartbeat_interval: null, timezone: null }
  const heart = isMap(agent.heart) ? agent.heart : tasks.length > 0 ? settings : null
  return { ...agent, heart: heart && { ...heart, tasks } }
}

/** The tasks of an agent that was read here. */
export function tasksOf({ heart }: Members): Members[] {
  return isMap(heart) && Array.isArray(heart.tasks) ? heart.tasks.filter(isMap) : []
}

/** A signed trigger is exported without its secret and switched off, so that it is never open to everyone. */
function leaveSecretsOut(task: Members, report: Report, at: string): void {
  const triggers = Array.isArray(task.triggers) ? task.triggers.filter(isMap) : []
  for (const [i, trigger] of triggers.entries()) {
    if (!isMap(trigger.config) || trigger.config.secret !== secretMask) continue
    Reflect.deleteProperty(trigger.config, 'secret')
    trigger.enabled = false
    const pointer = `${at}/triggers/${i}/config/secret`
    report.drop(pointer, 'Its secret is not exported, so the trigger is off.')
  }
}
