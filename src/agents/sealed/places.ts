import { isMap } from '#src/core/maps.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { secretMask } from '../tasks/secrets.ts'

/** Lists of settings: the tool servers and channels of an agent, the tools of a task. */
export type SettingList = 'mcps' | 'channels' | 'tools'

/** A place in the settings of an agent, or of a tool of its tasks, that may hold a secret. */
export interface SettingPlace {
  /** The object, and its member that may be a secret. */
  holder: Record<string, unknown>
  name: string
  /** The tool server, channel or tool, its list, and its position there. */
  item: Record<string, unknown>
  list: SettingList
  position: number
  /** JSON Pointers to the place: from the item, and from the agent or the task. */
  inside: string
  pointer: string
}

/** Every such place of an agent or a similar object: environments of tool servers, secrets of channels. */
export function settingPlaces(agent: unknown): SettingPlace[] {
  return [...eachSettingPlace(agent)]
}

/** The same one by one, for an agent that may have very many. */
export function* eachSettingPlace(agent: unknown): Generator<SettingPlace, void> {
  const { brain, control } = mapOf(agent)
  for (const { item, position } of listed(mapOf(brain).mcps)) {
    const env = mapOf(item.env)
    const at = { item, list: 'mcps', position } as const
    for (const name of Object.keys(env)) yield placed(at, env, name, '/env')
  }
  for (const { item, position } of listed(mapOf(control).channels)) {
    const at = { item, list: 'channels', position } as const
    yield placed(at, item, 'secret', '')
    yield placed(at, mapOf(item.config), 'secret', '/config')
    yield placed(at, mapOf(item.config), 'signing_secret', '/config')
  }
}

/**
 * Headers that say what is asked for and in which form, and are no credentials: `Accept`,
 * `Content-Type`, `X-GitHub-Api-Version`.
 */
const plainHeader =
  /^(?:accept(?:-[a-z]{1,20})?|content-[a-z]{1,20}|cache-control|pragma|prefer|user-agent|origin|referer|x-requested-with|(?:[a-z]{1,20}-){0,4}version)$/i

/** The places of a task or a similar object: environments and headers of its tools. */
export function toolPlaces(task: unknown): SettingPlace[] {
  return [...eachToolPlace(task)]
}

/** The same one by one, for a task that may have very many. */
export function* eachToolPlace(task: unknown): Generator<SettingPlace, void> {
  for (const { item, position } of listed(mapOf(task).tools)) {
    const { env, headers } = mapOf(item.config)
    const at = { item, list: 'tools', position } as const
    const [values, named] = [mapOf(env), mapOf(headers)]
    for (const name of Object.keys(values)) yield placed(at, values, name, '/config/env')
    for (const name of Object.keys(named)) {
      if (!plainHeader.test(name)) yield placed(at, named, name, '/config/headers')
    }
  }
}

/** Those of an agent and of the tasks of its heart, each by its pointer from the agent. */
export function placesWithTools(agent: unknown): SettingPlace[] {
  const ofTasks = listed(mapOf(mapOf(agent).heart).tasks).flatMap(({ item, position }) => {
    const at = `/heart/tasks${pointerStep(position)}`
    return toolPlaces(item).map((place) => ({ ...place, pointer: at + place.pointer }))
  })
  return [...settingPlaces(agent), ...ofTasks]
}

const pathOf = { mcps: '/brain/mcps', channels: '/control/channels', tools: '/tools' } as const

/** The pointer of a member of the item at this position. */
export function settingPointer(list: SettingList, position: number, inside: string): string {
  return `${pathOf[list]}${pointerStep(position)}${inside}`
}

function placed(
  at: Pick<SettingPlace, 'item' | 'list' | 'position'>,
  holder: Record<string, unknown>,
  name: string,
  within: string,
): SettingPlace {
  const inside = within + pointerStep(name)
  return { ...at, holder, name, inside, pointer: settingPointer(at.list, at.position, inside) }
}

function mapOf(value: unknown): Record<string, unknown> {
  return isMap(value) ? value : {}
}

function listed(value: unknown): { item: Record<string, unknown>; position: number }[] {
  const items: unknown[] = Array.isArray(value) ? value : []
  return items.flatMap((item, position) => (isMap(item) ? [{ item, position }] : []))
}

/** A placeholder alone, also after an authorization scheme: `Bearer {{secret.NAME}}`. */
const reference =
  /^(?:(?:bearer|basic|token|bot|key|api-?key)\s+)?\{\{\s*[a-z_][a-z0-9_.]{0,127}\s*\}\}(?:[\s:,;]*\{\{\s*[a-z_][a-z0-9_.]{0,127}\s*\}\})*$/i

/** The bare name of a secret, as often written in environments: `SHOP_API_KEY`. No token looks like that. */
const bareName = /^[A-Z]{1,30}(?:_(?:[A-Z]{1,30}|\d{1,3})){1,8}$/

/** Whether the value of such a place is a secret, or the mask of one. */
export function isSecretSetting(value: unknown): value is string {
  if (typeof value !== 'string' || value === '') return false
  return !reference.test(value) && !bareName.test(value)
}

/** Those of the places that hold a secret, or the mask of one. */
export function secretsAt(places: readonly SettingPlace[]): (SettingPlace & { value: string })[] {
  return places.flatMap((place) => {
    const value = Object.hasOwn(place.holder, place.name) ? place.holder[place.name] : undefined
    return isSecretSetting(value) ? [{ ...place, value }] : []
  })
}

/** Whether it is the mask of a stored secret. */
export function isMask(value: unknown): boolean {
  return value === secretMask
}
