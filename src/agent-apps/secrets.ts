import { tasksAtMost } from '#src/characters/heart.ts'
import { pointerTo } from '#src/core/text.ts'
import { secretMask } from '#src/tasks/secrets.ts'
import { triggersAtMost } from '#src/tasks/trigger.ts'
import { agentsAtMost } from './manifest.ts'
import { firstItems, members } from './outline.ts'

/** A manifest as every read gives it, with the secrets that its masks stand for. */
export interface MaskedManifest {
  masked: unknown
  /** JSON Pointers into the manifest, to the secret that stands there. */
  secrets: Record<string, string>
}

/** Where the secret of the webhook stands. */
export const webhookSecretPointer = '/webhook/secret'

/** Takes the secrets out of a manifest: the webhook's and those of triggers. What was sent is not changed. */
export function maskManifest(raw: unknown): MaskedManifest {
  const isSecret = ({ holder }: SecretPlace): boolean => typeof holder.secret === 'string'
  if (!secretPlaces(raw).some(isSecret)) return { masked: raw, secrets: {} }
  const masked = structuredClone(raw)
  const secrets: Record<string, string> = {}
  for (const { holder, pointer } of secretPlaces(masked)) {
    if (typeof holder.secret !== 'string') continue
    secrets[pointer] = holder.secret
    holder.secret = secretMask
  }
  return { masked, secrets }
}

/** An object of a manifest whose member `secret` is one, and the pointer of that member. */
interface SecretPlace {
  holder: Record<string, unknown>
  pointer: string
  /** Of a trigger's secret, the positions of its agent, its task and itself. */
  trigger?: readonly [agent: number, task: number, trigger: number]
}

/** Every place of a manifest where a secret may stand, whether or not one does, as far as it may go. */
export function secretPlaces(raw: unknown): SecretPlace[] {
  const { webhook, agents } = members(raw)
  const places: SecretPlace[] = [{ holder: members(webhook), pointer: webhookSecretPointer }]
  for (const [a, agent] of firstItems(agents, agentsAtMost).entries()) {
    const tasks = firstItems(members(members(agent).heart).tasks, tasksAtMost)
    for (const [t, task] of tasks.entries()) {
      for (const [i, trigger] of firstItems(members(task).triggers, triggersAtMost).entries()) {
        const path = ['agents', a, 'heart', 'tasks', t, 'triggers', i, 'config', 'secret']
        const holder = members(members(trigger).config)
        places.push({ holder, pointer: pointerTo(path), trigger: [a, t, i] })
      }
    }
  }
  return places
}
