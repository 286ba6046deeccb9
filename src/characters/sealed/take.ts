import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { maskFault, secretMask } from '#src/tasks/secrets.ts'
import type { CharacterInput, StoredCharacter } from '../character.ts'
import { isMask, secretSettings, settingPointer, type SettingPlace } from './places.ts'

/** The secrets of an agent's settings, by their pointers into the agent. */
export type SettingSecrets = Readonly<Record<string, string>>

type Settings = Pick<CharacterInput, 'brain' | 'control'>

/** An agent as it is kept, with the secrets that its masks stand for. */
export interface KeptSettings {
  agent: Pick<StoredCharacter, 'brain' | 'control'>
  secrets: SettingSecrets
}

/** An agent whose settings show the mask where secrets stood. */
export interface TakenSettings<T> {
  agent: T
  secrets: SettingSecrets
  /** Kept secrets that would go to another origin than they were given for, by their pointers. */
  strayed: string[]
}

/**
 * Takes the secrets out of an agent's settings. A mask that was sent stands for the secret of the server
 * or channel of that name.
 * @param at where the agent stands in the input
 * @throws Refusal `invalid_input` for a mask where no secret is kept
 */
export function takeSettings<T extends Settings>(
  agent: T,
  kept: KeptSettings | undefined,
  at: string,
): TakenSettings<T> {
  if (secretSettings(agent).length === 0) return { agent, secrets: {}, strayed: [] }
  const { brain, control } = agent
  // What was sent is not changed.
  const masked = { ...agent, ...structuredClone({ brain, control }) }
  const secrets: Record<string, string> = {}
  const strayed: string[] = []
  const faults: FaultItem[] = []
  for (const place of secretSettings(masked)) {
    const { holder, name, pointer, value } = place
    const known = isMask(value) ? keptSetting(place, kept) : { value, strays: false }
    if (!known) {
      faults.push(maskFault(at + pointer))
      continue
    }
    if (known.strays) strayed.push(pointer)
    secrets[pointer] = known.value
    holder[name] = secretMask
  }
  if (faults.length > 0) {
    throw new Refusal('invalid_input', 'A masked secret can only be kept, and there is none.', {
      errors: faults,
    })
  }
  return { agent: masked, secrets, strayed }
}

/** The secret that a mask stands for, and whether it would go elsewhere than it was given for. */
export function keptSetting(
  place: SettingPlace,
  kept: KeptSettings | undefined,
): { value: string; strays: boolean } | undefined {
  if (!kept) return undefined
  const { list, item, inside } = place
  const items: readonly object[] =
    (list === 'mcps' ? kept.agent.brain?.mcps : kept.agent.control?.channels) ?? []
  const position = counterpart(place, items)
  const value = kept.secrets[settingPointer(list, position, inside)]
  if (value === undefined) return undefined
  return { value, strays: originOf(list, item) !== originOf(list, items[position] ?? {}) }
}

/** An item is known by its name wherever it has moved to; one that was renamed, by its address. */
function counterpart({ position, item, list }: SettingPlace, items: readonly object[]): number {
  const isNamed = (other: object | undefined): boolean => nameOf(other) === nameOf(item)
  if (isNamed(items[position])) return position
  const named = items.findIndex(isNamed)
  if (named >= 0) return named
  const address = addressOf(list, item)
  return items.findIndex((other) => address !== undefined && addressOf(list, other) === address)
}

function nameOf(item: object | undefined): unknown {
  return item && 'name' in item ? item.name : undefined
}

function addressOf(list: SettingPlace['list'], item: object): string | undefined {
  const holder: unknown = list === 'mcps' ? item : 'config' in item ? item.config : undefined
  if (typeof holder !== 'object' || holder === null || !('url' in holder)) return undefined
  return typeof holder.url === 'string' ? holder.url : undefined
}

function originOf(list: SettingPlace['list'], item: object): string | undefined {
  const address = addressOf(list, item)
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : address
}
