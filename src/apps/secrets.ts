import { webhookSecretPointer } from '#src/agents/app/vocabulary.ts'
import { tasksAtMost } from '#src/agents/heart.ts'
import {
  isSecretSetting,
  settingPlaces,
  toolPlaces,
  type SettingPlace,
} from '#src/agents/sealed/places.ts'
import { pointerTo } from '#src/core/text/text.ts'
import { secretMask } from '#src/agents/tasks/secrets.ts'
import { triggersAtMost } from '#src/agents/tasks/trigger.ts'
import { agentsAtMost } from './manifest.ts'
import { firstItems, members } from './outline.ts'

/** A manifest as every read gives it, with the secrets that its masks stand for. */
export interface MaskedManifest {
  masked: unknown
  /** JSON Pointers into the manifest, to the secret that stands there. */
  secrets: Record<string, string>
}

/**
 * Takes the secrets out of a manifest: the webhook's, those of triggers and tools, and those of its
 * agents' settings.
 * What was sent is not changed.
 */
export function maskManifest(raw: unknown): MaskedManifest {
  if (!secretPlaces(raw).some((place) => secretAt(place) !== undefined)) {
    return { masked: raw, secrets: {} }
  }
  const masked = structuredClone(raw)
  const secrets: Record<string, string> = {}
  for (const place of secretPlaces(masked)) {
    const secret = secretAt(place)
    if (secret === undefined) continue
    secrets[place.pointer] = secret
    place.holder[place.name] = secretMask
  }
  return { masked, secrets }
}

/** The secret that stands at a place; undefined where none does. */
function secretAt({ holder, name, setting, tool }: SecretPlace): string | undefined {
  const value = Object.hasOwn(holder, name) ? holder[name] : undefined
  if (setting ?? tool) return isSecretSetting(value) ? value : undefined
  return typeof value === 'string' ? value : undefined
}

/** An object of a manifest with the member of it that may be a secret, and the pointer of that. */
export interface SecretPlace {
  holder: Record<string, unknown>
  name: string
  pointer: string
  /** Of a trigger's secret, the positions of its agent, its task and itself. */
  trigger?: readonly [agent: number, task: number, trigger: number]
  /** Of a secret in an agent's settings, the position of the agent, and the place in it. */
  setting?: { agent: number; place: SettingPlace }
  /** Of one in a tool, the positions of its agent and its task, and the place in that. */
  tool?: { agent: number; task: number; place: SettingPlace }
}

/** Every place of a manifest where a secret may stand, whether or not one does, as far as it may go. */
export function secretPlaces(raw: unknown): SecretPlace[] {
  const { webhook, agents } = members(raw)
  const name = 'secret'
  const places: SecretPlace[] = [{ holder: members(webhook), name, pointer: webhookSecretPointer }]
  for (const [a, agent] of firstItems(agents, agentsAtMost).entries()) {
    for (const place of settingPlaces(agent)) {
      const pointer = pointerTo(['agents', a]) + place.pointer
      const { holder, name: member } = place
      places.push({ holder, name: member, pointer, setting: { agent: a, place } })
    }
    const tasks = firstItems(members(members(agent).heart).tasks, tasksAtMost)
    for (const [t, task] of tasks.entries()) {
      for (const [i, trigger] of firstItems(members(task).triggers, triggersAtMost).entries()) {
        const path = ['agents', a, 'heart', 'tasks', t, 'triggers', i, 'config', 'secret']
        const holder = members(members(trigger).config)
        places.push({ holder, name, pointer: pointerTo(path), trigger: [a, t, i] })
      }
      for (const place of toolPlaces(task)) {
        const pointer = pointerTo(['agents', a, 'heart', 'tasks', t]) + place.pointer
        const { holder, name: member } = place
        places.push({ holder, name: member, pointer, tool: { agent: a, task: t, place } })
      }
    }
  }
  return places
}
