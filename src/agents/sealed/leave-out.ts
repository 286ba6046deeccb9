import type { Warning } from '#src/core/schema.ts'
import type { CharacterInput } from '../character.ts'
import { isMask, secretSettings } from './places.ts'
import { keptSettings, type KeptSettings } from './take.ts'

/** What a server or a channel that has lost its secret is: nobody is to be called without it. */
const lost = 'is off until it is given a new one.'

/** Why something is off that had a secret. */
export function lostSetting(list: 'mcps' | 'channels', why: string): string {
  return `${why}: the ${list === 'mcps' ? 'tool server' : 'channel'} ${lost}`
}

/**
 * Takes the secrets of an agent's settings out of a copy that is changed, and switches off what had one.
 * @param note told of each, by its pointer into the agent
 */
export function leaveSettingsOut(
  agent: unknown,
  note: (pointer: string, list: 'mcps' | 'channels') => void,
): void {
  for (const { holder, name, item, pointer, list } of secretSettings(agent)) {
    Reflect.deleteProperty(holder, name)
    item.enabled = false
    note(pointer, list)
  }
}

/** The same for masks alone, as a file may hold them: they stand for nothing there. */
export function leaveMasksOut(
  agent: unknown,
  note: (pointer: string, list: 'mcps' | 'channels') => void,
): void {
  for (const { holder, name, item, pointer, list, value } of secretSettings(agent)) {
    if (!isMask(value)) continue
    Reflect.deleteProperty(holder, name)
    item.enabled = false
    note(pointer, list)
  }
}

/**
 * An agent as it was, without the masks for which nothing is kept any more; what had such a secret is off.
 * @param warnings gets one for each
 */
export function withoutLostSettings(
  was: CharacterInput,
  kept: KeptSettings,
  warnings: Warning[],
): CharacterInput {
  const { brain, control } = was
  const whole = { ...was, ...structuredClone({ brain, control }) }
  const keptAt = keptSettings(kept)
  for (const place of secretSettings(whole)) {
    if (!isMask(place.value) || keptAt(place)) continue
    const { holder, name, item, pointer, list } = place
    Reflect.deleteProperty(holder, name)
    item.enabled = false
    const message = lostSetting(list, 'Its secret is not kept any more')
    warnings.push({ code: 'secret_lost', pointer, message })
  }
  return whole
}
