import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { pointerStep } from '#src/core/text/text.ts'
import type { Trigger } from './trigger.ts'

/** What every read shows in place of a secret, and what an update sends to keep it. */
export const secretMask = '***'

/**
 * The secrets of a task: of a trigger by its position, of a place in a tool by its pointer into the
 * task, such as `/tools/0/config/env/x-key`.
 */
export type TaskSecrets = Record<string, string>

/** The member of a task that holds one of its secrets. */
export function memberOfSecret(key: string): 'triggers' | 'tools' {
  return key.startsWith('/') ? 'tools' : 'triggers'
}

/** The triggers of a task as stored, with the secrets that their masks stand for. */
export interface Kept {
  triggers: readonly Trigger[]
  secrets: Readonly<TaskSecrets>
}

/**
 * Removes the secrets from triggers: their configs show masks instead. A mask in the input stands
 * for the secret of the trigger it came from.
 * @param pointer the pointer of the task in the input
 * @throws Refusal `invalid_input` for a mask where no secret is stored
 */
export function takeSecrets(
  triggers: readonly Trigger[],
  kept: Kept | undefined,
  pointer: string,
): { triggers: Trigger[]; secrets: TaskSecrets } {
  const secrets: TaskSecrets = {}
  const faults: FaultItem[] = []
  const shown = triggers.map((trigger, i) => {
    const { secret } = trigger.config
    if (typeof secret !== 'string') return trigger
    const value = secret === secretMask ? keptSecret(trigger, i, kept) : secret
    if (value === undefined) {
      faults.push(maskFault(`${pointer}/triggers${pointerStep(i)}/config/secret`))
    } else secrets[i] = value
    return { ...trigger, config: { ...trigger.config, secret: secretMask } }
  })
  if (faults.length > 0) throw nothingKept(faults)
  return { triggers: shown, secrets }
}

/** The refusal `invalid_input` of masks where no secret is stored. */
export function nothingKept(errors: readonly FaultItem[]): Refusal {
  const message = 'A masked secret can only be kept, and there is none.'
  return new Refusal('invalid_input', message, { errors })
}

/** The fault of a mask where no secret is stored. */
export function maskFault(pointer: string): FaultItem {
  const message = `"${secretMask}" stands for a secret that is kept already, and none is: send the secret itself`
  return { pointer, message, code: 'secret_masked' }
}

/**
 * The secret that a trigger's mask stands for; undefined if none is stored. Webhooks are matched by
 * path at any position; other triggers by their position.
 */
export function keptSecret(
  trigger: Trigger,
  position: number,
  kept: Kept | undefined,
): string | undefined {
  if (!kept) return undefined
  const { path } = trigger.config
  const sameType = (other: Trigger | undefined): boolean => other?.type === trigger.type
  const here = kept.triggers[position]
  if (sameType(here) && here?.config.path === path && kept.secrets[position] !== undefined) {
    return kept.secrets[position]
  }
  const moved = kept.triggers.findIndex(
    (other, i) => sameType(other) && other.config.path === path && kept.secrets[i] !== undefined,
  )
  if (path !== undefined && moved >= 0) return kept.secrets[moved]
  return sameType(kept.triggers[position]) ? kept.secrets[position] : undefined
}
