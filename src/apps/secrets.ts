import { webhookSecretPointer } from '#src/agents/app/vocabulary.ts'
import { tasksAtMost } from '#src/agents/heart.ts'
import {
  eachSettingPlace,
  eachToolPlace,
  isSecretSetting,
  type SettingPlace,
} from '#src/agents/sealed/places.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'
import { triggersAtMost } from '#src/agents/tasks/trigger.ts'
import { agentsAtMost } from './manifest.ts'
import { copySteps } from '#src/core/input/copy-steps.ts'
import { firstItems, members } from '#src/core/input/loose.ts'
import type { Steps } from '#src/core/turns/portions.ts'

/** A manifest as it is shown, and the secrets behind its masks. */
export interface MaskedManifest {
  masked: unknown
  /** The secrets by their JSON Pointers in the manifest. */
  secrets: Record<string, string>
}

/**
 * Takes the secrets out of a manifest: the webhook's, those of triggers and tools, and those of its agents'
 * settings. The input is not changed.
 */
export function* maskSteps(raw: unknown): Steps<MaskedManifest> {
  const isSecret = (place: SecretPlace): boolean => secretAt(place) !== undefined
  if (!(yield* anyPlaceSteps(raw, isSecret))) return { masked: raw, secrets: {} }
  const masked = yield* copySteps(raw)
  const secrets: Record<string, string> = {}
  for (const place of secretPlaces(masked)) {
    yield
    const secret = secretAt(place)
    if (secret === undefined) continue
    secrets[place.pointer] = secret
    place.holder[place.name] = secretMask
  }
  return { masked, secrets }
}

/** Whether this is true of any place where a secret may be. */
export function* anyPlaceSteps(
  raw: unknown,
  isTrue: (place: SecretPlace) => boolean,
): Steps<boolean> {
  for (const place of secretPlaces(raw)) {
    if (isTrue(place)) return true
    yield
  }
  return false
}

/** The secret at a place; undefined if there is none. */
function secretAt({ holder, name, setting, tool }: SecretPlace): string | undefined {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined
  if (setting ?? tool) return isSecretSetting(value) ? value : undefined
  return typeof value === 'string' ? value : undefined
}

/** A member of a manifest that may be a secret, with its object and its pointer. */
export interface SecretPlace {
  holder: Record<string, unknown>
  name: string
  pointer: string
  /** For a trigger's secret: the positions of its agent, its task and itself. */
  trigger?: readonly [agent: number, task: number, trigger: number]
  /** For a secret in an agent's settings: the position of the agent, and the place in the settings. */
  setting?: { agent: number; place: SettingPlace }
  /** For a secret in a tool: the positions of its agent and its task, and the place in the task. */
  tool?: { agent: number; task: number; place: SettingPlace }
}

/** Every place of a manifest where a secret may be, present or not, up to the limits of a manifest. */
export function* secretPlaces(raw: unknown): Generator<SecretPlace, void> {
  const { webhook, agents } = members(raw)
  const name = 'secret'
  yield { holder: members(webhook), name, pointer: webhookSecretPointer }
  for (const [a, agent] of firstItems(agents, agentsAtMost).entries()) {
    for (const place of eachSettingPlace(agent)) {
      const pointer = pointerTo(['agents', a]) + place.pointer
      const { holder, name: member } = place
      yield { holder, name: member, pointer, setting: { agent: a, place } }
    }
    const tasks = firstItems(members(members(agent).heart).tasks, tasksAtMost)
    for (const [t, task] of tasks.entries()) {
      for (const [i, trigger] of firstItems(members(task).triggers, triggersAtMost).entries()) {
        const path = ['agents', a, 'heart', 'tasks', t, 'triggers', i, 'config', 'secret']
        const holder = members(members(trigger).config)
        yield { holder, name, pointer: pointerTo(path), trigger: [a, t, i] }
      }
      for (const place of eachToolPlace(task)) {
        const pointer = pointerTo(['agents', a, 'heart', 'tasks', t]) + place.pointer
        const { holder, name: member } = place
        yield { holder, name: member, pointer, tool: { agent: a, task: t, place } }
      }
    }
  }
}
