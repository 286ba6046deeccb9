import type { FaultItem } from '#src/core/errors.ts'
import { maskFault, nothingKept, secretMask } from '../tasks/secrets.ts'
import { anyOrigin, originOf } from '../tasks/policy/targets.ts'
import type { CharacterInput, StoredCharacter } from '../character.ts'
import type { TaskInput } from '../tasks/task.ts'
import {
  isMask,
  secretsAt,
  type SettingList,
  type SettingPlace,
  settingPlaces,
  settingPointer,
  toolPlaces,
} from './places.ts'

/** The secrets of an agent's settings, or of a task, by their pointers into it. */
export type SettingSecrets = Readonly<Record<string, string>>

type Settings = Pick<CharacterInput, 'brain' | 'control'>

/** The members of a task that tell its tools apart, and say where their secrets go. */
export type Tooled = Pick<TaskInput, 'tools' | 'api_url'>

/** An agent as stored, with the secrets that its masks stand for. */
export interface KeptSettings {
  agent: Pick<StoredCharacter, 'brain' | 'control'>
  secrets: SettingSecrets
}

/** The same for a task and its tools. */
export interface KeptTools {
  task: Tooled
  secrets: SettingSecrets
}

/** The secrets removed from settings, which show masks in their places. */
interface Taken {
  secrets: Record<string, string>
  /** Pointers of stored secrets that would go to another origin than they were set for. */
  strayed: string[]
}

/** An agent whose settings show masks in place of secrets. */
export interface TakenSettings<T> extends Taken {
  agent: T
}

/** A task whose tools show masks in place of secrets. */
export interface TakenTools<T> extends Taken {
  task: T
}

/**
 * Removes the secrets from an agent's settings. A mask in the input stands for the secret of the server
 * or channel of the same name.
 * @param at the pointer of the agent in the input
 * @throws Refusal `invalid_input` for a mask where no secret is stored
 */
export function takeSettings<T extends Settings>(
  agent: T,
  kept: KeptSettings | undefined,
  at: string,
): TakenSettings<T> {
  if (secretsAt(settingPlaces(agent)).length === 0) return { agent, secrets: {}, strayed: [] }
  const { brain, control } = agent
  // The input is not changed.
  const masked = { ...agent, ...structuredClone({ brain, control }) }
  return { agent: masked, ...taken(settingPlaces(masked), keptSettings(kept), at) }
}

/**
 * Removes the secrets from the tools of a task. A mask stands for the secret of the tool of that name.
 * @param at the pointer of the task in the input
 * @throws Refusal `invalid_input` for a mask where no secret is stored
 */
export function takeTools<T extends Tooled>(
  task: T,
  kept: KeptTools | undefined,
  at: string,
): TakenTools<T> {
  if (secretsAt(toolPlaces(task)).length === 0) return { task, secrets: {}, strayed: [] }
  const masked = { ...task, tools: structuredClone(task.tools) }
  return { task: masked, ...taken(toolPlaces(masked), keptTools(task, kept), at) }
}

function taken(places: readonly SettingPlace[], keptAt: Finder, at: string): Taken {
  const secrets: Record<string, string> = {}
  const strayed: string[] = []
  const faults: FaultItem[] = []
  for (const place of secretsAt(places)) {
    const { holder, name, pointer, value } = place
    const known = isMask(value) ? keptAt(place) : { value, strays: false }
    if (!known) {
      faults.push(maskFault(at + pointer))
      continue
    }
    if (known.strays) strayed.push(at + pointer)
    secrets[pointer] = known.value
    holder[name] = secretMask
  }
  if (faults.length > 0) throw nothingKept(faults)
  return { secrets, strayed }
}

/** A task with masks in place of secrets that its tools have already: sending these again is no change. */
export function withKeptMasked<T extends Tooled>(task: T, kept: KeptTools | undefined): T {
  const keptAt = keptTools(task, kept)
  const masked = { ...task, tools: structuredClone(task.tools) }
  for (const place of secretsAt(toolPlaces(masked))) {
    if (keptAt(place)?.value === place.value) place.holder[place.name] = secretMask
  }
  return masked
}

/** The secret that a mask stands for, and whether it would go to another place than it was set for. */
export interface KnownSetting {
  value: string
  strays: boolean
}

type Finder = (place: SettingPlace) => KnownSetting | undefined

/** Finds the secrets that the masks of an agent stand for; indexes the agent once. */
export function keptSettings(kept: KeptSettings | undefined): Finder {
  if (!kept) return () => undefined
  const { brain, control } = kept.agent
  const lists = {
    mcps: indexed('mcps', brain?.mcps ?? []),
    channels: indexed('channels', control?.channels ?? []),
  }
  return finderIn(lists, kept.secrets)
}

/** The same for the tools of a task. @param sent the new task */
export function keptTools(
  sent: { readonly api_url?: unknown },
  kept: KeptTools | undefined,
): Finder {
  if (!kept) return () => undefined
  const lists = { tools: indexed('tools', kept.task.tools) }
  return finderIn(lists, kept.secrets, { now: sent.api_url, before: kept.task.api_url })
}

/** @param called the addresses of a task, to which the headers of its tools go too */
function finderIn(
  lists: { readonly [L in SettingList]?: Indexed },
  secrets: SettingSecrets,
  called: { now?: unknown; before?: unknown } = {},
): Finder {
  return (place) => {
    const { list, item, inside } = place
    const kept = lists[list]
    if (!kept) return undefined
    const position = counterpart(place, kept)
    const value = secrets[settingPointer(list, position, inside)]
    if (value === undefined) return undefined
    const before = originsOf(list, kept.items[position] ?? {}, called.before)
    const strays = originsOf(list, item, called.now).some((one) => !before.includes(one))
    return { value, strays }
  }
}

interface Indexed {
  items: readonly object[]
  /** The position of the first item of each name, and of each address. */
  named: ReadonlyMap<unknown, number>
  addressed: ReadonlyMap<string, number>
}

function indexed(list: SettingList, items: readonly object[]): Indexed {
  const named = new Map<unknown, number>()
  const addressed = new Map<string, number>()
  for (const [position, item] of items.entries()) {
    const [name, address] = [nameOf(item), addressOf(list, item)]
    if (!named.has(name)) named.set(name, position)
    if (address !== undefined && !addressed.has(address)) addressed.set(address, position)
  }
  return { items, named, addressed }
}

/** Items are matched by name at any position; a renamed one by its address. */
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

function addressOf(list: SettingList, item: object): string | undefined {
  const holder: unknown = list === 'mcps' ? item : 'config' in item ? item.config : undefined
  if (typeof holder !== 'object' || holder === null || !('url' in holder)) return undefined
  return typeof holder.url === 'string' ? holder.url : undefined
}

/** Where the secrets of an item go. A run of type `api` sends the headers of a tool to the task's own address. */
function originsOf(list: SettingList, item: object, called: unknown): (string | undefined)[] {
  const own = placeOf(addressOf(list, item))
  if (list !== 'tools') return [own]
  const ofTask = 'type' in item && item.type === 'http' ? placeOf(called) : undefined
  return [own, ofTask].filter((one) => one !== undefined)
}

/** An origin; an address without a fixed host is a place of its own. */
function placeOf(address: unknown): string | undefined {
  if (typeof address !== 'string' || address === '') return undefined
  const origin = originOf(address)
  return origin === anyOrigin ? address : origin
}
