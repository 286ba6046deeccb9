import { platformMembersOfCharacter } from '../character.ts'
import { isCharacterId } from '../name.ts'
import { leaveMasksOut, lostSetting } from '../sealed/leave-out.ts'
import { isMap } from '#src/core/maps.ts'
import type { Warning } from '#src/core/schema.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { secretMask } from '../tasks/secrets.ts'
import { platformMembersOfTask } from '../tasks/task.ts'
import type { Report } from './report.ts'

type Members = Record<string, unknown>

const platformReason = 'Only the platform sets it.'

const triggerSecret = /\/heart\/tasks\/\d+\/triggers\/\d+\/config\/secret$/
const setting =
  /\/brain\/mcps\/\d+\/env\/[^/]*$|\/control\/channels\/\d+\/(?:(?:config\/)?secret|config\/signing_secret)$|\/tools\/\d+\/config\/(?:env|headers)\/[^/]*$/

/** Whether it is a trigger's secret, which is sealed and never shown, or a secret's mask in settings or tools. */
export function hasPlace(pointer: string, value: unknown): boolean {
  return triggerSecret.test(pointer) || (value === secretMask && setting.test(pointer))
}

/**
 * Prepares an agent that was read here, or an object similar to one, for becoming a new agent.
 * @param agent an unshared copy; it is changed
 * @param at the pointer of the agent in the file
 * @returns the warnings
 */
export function prepareOwn(agent: Members, report: Report, at: string): Warning[] {
  takeOut(agent, platformMembersOfCharacter, report, at)
  if (Object.hasOwn(agent, 'id') && agent.id !== null) {
    if (typeof agent.id !== 'string' || !isCharacterId(agent.id)) {
      report.note(`${at}/id`, 'It is not a valid id here: one is made from the name.')
      agent.id = null
    }
  }
  const warnings: Warning[] = []
  leaveMasksOut(agent, (pointer, list) => {
    report.drop(at + pointer, onlyMask)
    const message = lostSetting(list, 'Its secret is not in the file')
    warnings.push({ code: 'secret_lost', pointer, message })
  })
  const tasks = isMap(agent.heart) && Array.isArray(agent.heart.tasks) ? agent.heart.tasks : []
  for (const [i, task] of tasks.entries()) {
    if (!isMap(task)) continue
    const pointer = `/heart/tasks/${i}`
    takeOut(task, platformMembersOfTask, report, at + pointer)
    warnings.push(...secretsLost(task, report, at, pointer))
  }
  return warnings
}

function takeOut(holder: Members, names: readonly string[], report: Report, at: string): void {
  for (const name of names) {
    if (!Object.hasOwn(holder, name)) continue
    report.drop(at + pointerStep(name), platformReason)
    Reflect.deleteProperty(holder, name)
  }
}

const onlyMask = 'It only stands for a secret, which the file does not hold.'

/** A signed hook must not become open to everyone: without its secret the trigger is off. */
function secretsLost(task: Members, report: Report, at: string, pointer: string): Warning[] {
  const triggers = Array.isArray(task.triggers) ? task.triggers : []
  return triggers.flatMap((trigger: unknown, i): Warning[] => {
    const config = isMap(trigger) ? trigger.config : undefined
    if (!isMap(trigger) || !isMap(config) || config.secret !== secretMask) return []
    Reflect.deleteProperty(config, 'secret')
    trigger.enabled = false
    const place = `${pointer}/triggers/${i}/config/secret`
    report.drop(at + place, onlyMask)
    const message = 'Its secret is not in the file: the trigger is off until it is given a new one.'
    return [{ code: 'secret_lost', pointer: place, message }]
  })
}
