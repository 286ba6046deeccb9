import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { maskFault, secretMask } from '../tasks/secrets.ts'
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
  const keptAt = keptSettings(kept)
  for (const place of secretSettings(masked)) {
    const { holder, name, pointer, value } = place
    const known = isMask(value) ? keptAt(place) : { value, strays: false }
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
export interface KnownSetting {
  value: string
  strays: boolean
}

/** Finds what masks stand for, of an agent that is gone through once. */
export function keptSettings(
  kept: KeptSettings | undefined,
): (place: SettingPlace) => KnownSetting | undefined {
  if (!kept) return () => undefined
  const { agent, secrets } = kept
  const lists = {
    mcps: indexed('mcps', agent.brain?.mcps ?? []),
    channels: indexed('channels', agent.control?.channels ?? []),
  }
  return (place) => {
    const { list, item, inside } = place
    const position = counterpart(place, lists[list])
    const value = secrets[settingPointer(list, position, inside)]
    if (value === undefined) return undefined
    const strays = originOf(list, item) !== originOf(list, lists[list].items[position] ?? {})
    return { value, strays }
  }
}

interface Indexed {
  items: readonly object[]
  /** The first of each name, and of each address. */
  named: ReadonlyMap<unknown, number>
  addressed: ReadonlyMap<string, number>
}

function indexed(list: SettingPlace['list'], items: readonly object[]): Indexed {
  const named = new Map<unknown, number>()
  const addressed = new Map<string, number>()
  for (const [position, item] of items.entries()) {
    const [name, address] = [nameOf(item), addressOf(list, item)]
    if (!named.has(name)) named.set(name, position)
    if (address !== undefined && !addressed.has(address)) addressed.set(address, position)
  }
  return { items, named, addressed }
}

/** An item is known by its name wherever it has moved to; one that was renamed, by its address. */
function counterpart(
  { position, item, list }: SettingPlace,
  { items, named, addressed }: Indexed,
): number {
  if (nameOf(items[position]) === nameOf(item)) return position
  return named.get(nameOf(item)) ?? addressed.get(addressOf(list, item) ?? '') ?? -1
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
