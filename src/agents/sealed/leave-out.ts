import type { Warning } from '#src/core/schema.ts'
import type { CharacterInput } from '../character.ts'
import type { TaskInput } from '../tasks/task.ts'
import {
  isMask,
  placesWithTools,
  secretsAt,
  settingPlaces,
  toolPlaces,
  type SettingList,
  type SettingPlace,
} from './places.ts'
import {
  keptSettings,
  keptTools,
  type KnownSetting,
  type KeptSettings,
  type KeptTools,
} from './take.ts'

/** The state of a server, channel or tool that has lost its secret: nothing is called without it. */
const lost = 'is off until it is given a new one.'

const words = { mcps: 'tool server', channels: 'channel', tools: 'tool' } as const

/** Why an item that had a secret is off. */
export function lostSetting(list: SettingList, why: string): string {
  return `${why}: the ${words[list]} ${lost}`
}

/**
 * Removes the secrets of an agent's settings and of its tasks' tools from a copy, which is changed, and
 * switches off the items that had one.
 * @param note called for each, with its pointer into the agent
 */
export function leaveSettingsOut(
  agent: unknown,
  note: (pointer: string, list: SettingList) => void,
): void {
  for (const { holder, name, item, pointer, list } of secretsAt(placesWithTools(agent))) {
    Reflect.deleteProperty(holder, name)
    item.enabled = false
    note(pointer, list)
  }
}

/** The same for masks alone, which a file may hold: no secret belongs to them there. */
export function leaveMasksOut(
  agent: unknown,
  note: (pointer: string, list: SettingList) => void,
): void {
  for (const { holder, name, item, pointer, list, value } of secretsAt(placesWithTools(agent))) {
    if (!isMask(value)) continue
    Reflect.deleteProperty(holder, name)
    item.enabled = false
    note(pointer, list)
  }
}

/**
 * An agent as it was, without the masks whose secrets are no longer stored; items that had one are off.
 * @param warnings gets one entry for each
 */
export function withoutLostSettings(
  was: CharacterInput,
  kept: KeptSettings,
  warnings: Warning[],
): CharacterInput {
  const { brain, control } = was
  const whole = { ...was, ...structuredClone({ brain, control }) }
  leaveLostOut(settingPlaces(whole), keptSettings(kept), (place) => {
    warnings.push(lostWarning(place, ''))
  })
  return whole
}

/** The same for a task and its tools. @param at its pointer in the agent */
export function withoutLostTools(
  was: TaskInput,
  kept: KeptTools | undefined,
  at: string,
  warnings: Warning[],
): TaskInput {
  const whole = { ...was, tools: structuredClone(was.tools) }
  leaveLostOut(toolPlaces(whole), keptTools(was, kept), (place) => {
    warnings.push(lostWarning(place, at))
  })
  return whole
}

function leaveLostOut(
  places: readonly SettingPlace[],
  keptAt: (place: SettingPlace) => KnownSetting | undefined,
  note: (place: SettingPlace) => void,
): void {
  for (const place of secretsAt(places)) {
    if (!isMask(place.value) || keptAt(place)) continue
    Reflect.deleteProperty(place.holder, place.name)
    place.item.enabled = false
    note(place)
  }
}

function lostWarning({ list, pointer }: SettingPlace, at: string): Warning {
  const message = lostSetting(list, 'Its secret is no longer stored')
  return { code: 'secret_lost', pointer: at + pointer, message }
}
