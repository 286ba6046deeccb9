import type { Sealer, SealedFor } from '#src/core/seal.ts'
import type { CharacterInput, StoredCharacter } from '../character.ts'
import { characterFrom, type CharacterPlace } from '../stored-character.ts'
import { secretsOf } from '../tasks/replace-tasks.ts'
import type { StoredTask } from '../tasks/task.ts'
import type { TaskTool } from '../tasks/tool.ts'
import { secretsAt, settingPlaces, toolPlaces, type SettingPlace } from './places.ts'
import { takeSettings, type SettingSecrets } from './take.ts'

function sealedFor(charId: string): SealedFor {
  return { id: charId, purpose: 'settings_secrets' }
}

/** The secrets of an agent's settings, sealed for it; null where there are none. */
export function sealedSettings(
  charId: string,
  secrets: SettingSecrets,
  sealer: Pick<Sealer, 'seal'>,
): string | null {
  if (Object.keys(secrets).length === 0) return null
  return sealer.seal(JSON.stringify(secrets), sealedFor(charId))
}

/** The secrets of a kept agent's settings. @throws Error where they were sealed elsewhere */
export function settingsOf(
  { id, settings_secrets: sealed }: Pick<StoredCharacter, 'id' | 'settings_secrets'>,
  sealer: Pick<Sealer, 'open'>,
): SettingSecrets {
  if (sealed == null) return {}
  // What `sealedSettings` sealed.
  return JSON.parse(sealer.open(sealed, sealedFor(id))) as SettingSecrets
}

/** How the secrets of settings are sealed for an agent, and opened. */
export interface SettingsSealer {
  seal: (charId: string, secrets: SettingSecrets) => string | null
  open: (character: StoredCharacter) => SettingSecrets
}

/** The same, by a key. */
export function settingsSealer(sealer: Sealer): SettingsSealer {
  return {
    seal: (charId, secrets) => sealedSettings(charId, secrets, sealer),
    open: (character) => settingsOf(character, sealer),
  }
}

/** An agent ready to be kept, and what became of the secrets of its settings. */
export interface KeptAgent {
  character: StoredCharacter
  /** The members of the agent in which a secret is another than before. */
  moved: string[]
  /** Kept secrets that would go to another origin than they were given for, by their pointers. */
  strayed: string[]
}

/**
 * An agent ready to be kept, with the secrets of its settings sealed.
 * @param previous the agent whose place it takes
 * @param at where it stands in the input
 * @throws Refusal `invalid_input` for a masked secret where none is kept
 */
export function keptAgent(
  input: CharacterInput,
  place: CharacterPlace,
  { seal, open }: SettingsSealer,
  { previous, at = '' }: { previous?: StoredCharacter | undefined; at?: string } = {},
): KeptAgent {
  const before = previous ? open(previous) : {}
  const kept = previous && { agent: previous, secrets: before }
  const { agent, secrets, strayed } = takeSettings(input, kept, at)
  const character = characterFrom(agent, place)
  const sealed = seal(character.id, secrets)
  return {
    character: sealed === null ? character : { ...character, settings_secrets: sealed },
    moved: previous ? movedMembers(before, secrets) : [],
    strayed,
  }
}

/** The members of an agent in which these secrets differ, as `brain/mcps` and `control`. */
function movedMembers(before: SettingSecrets, after: SettingSecrets): string[] {
  const pointers = new Set([...Object.keys(before), ...Object.keys(after)])
  const moved = [...pointers].filter((pointer) => before[pointer] !== after[pointer])
  return [...new Set(moved.map((at) => (at.startsWith('/brain/') ? 'brain/mcps' : 'control')))]
}

/** The member of an agent that one of `moved` is of. */
export function topMember(moved: string): string {
  return moved.slice(0, `${moved}/`.indexOf('/'))
}

/** A kept agent with its secrets in place of the masks, for a run that is to use them. */
export function openedAgent<
  T extends Pick<StoredCharacter, 'id' | 'brain' | 'control' | 'settings_secrets'>,
>(agent: T, sealer: Pick<Sealer, 'open'>): T {
  const secrets = settingsOf(agent, sealer)
  if (Object.keys(secrets).length === 0) return agent
  const { brain, control } = agent
  const opened = { ...agent, ...structuredClone({ brain, control }) }
  putIn(settingPlaces(opened), secrets)
  return opened
}

/** The tools of a kept task with their secrets in place of the masks, and what was put in. */
export function openedTools(
  task: Pick<StoredTask, 'id' | 'tools' | 'trigger_secrets'>,
  sealer: Pick<Sealer, 'open'>,
): { tools: TaskTool[]; given: string[] } {
  const tools = structuredClone(task.tools)
  return { tools, given: putIn(toolPlaces({ tools }), secretsOf(task, sealer)) }
}

/** Puts the secrets where masks stand for them. @returns those that were put in */
function putIn(places: readonly SettingPlace[], secrets: SettingSecrets): string[] {
  return secretsAt(places).flatMap(({ holder, name, pointer }) => {
    const secret = secrets[pointer]
    if (secret === undefined) return []
    holder[name] = secret
    return [secret]
  })
}
