import type { Sealer, SealedFor } from '#src/core/seal.ts'
import type { CharacterInput, StoredCharacter } from '../character.ts'
import { characterFrom, type CharacterPlace } from '../stored-character.ts'
import { secretsOf } from '../tasks/replace-tasks.ts'
import type { StoredTask } from '../tasks/task.ts'
import type { TaskTool } from '../tasks/tool.ts'
import { insert, toolsWith } from './insert.ts'
import { settingPlaces } from './places.ts'
import { takeSettings, type SettingSecrets } from './take.ts'

function sealedFor(charId: string): SealedFor {
  return { id: charId, purpose: 'settings_secrets' }
}

/** The secrets of an agent's settings, sealed for it; null if there are none. */
export function sealedSettings(
  charId: string,
  secrets: SettingSecrets,
  sealer: Pick<Sealer, 'seal'>,
): string | null {
  if (Object.keys(secrets).length === 0) return null
  return sealer.seal(JSON.stringify(secrets), sealedFor(charId))
}

/** The secrets of a stored agent's settings. @throws Error if they were sealed for another agent */
export function settingsOf(
  { id, settings_secrets: sealed }: Pick<StoredCharacter, 'id' | 'settings_secrets'>,
  sealer: Pick<Sealer, 'open'>,
): SettingSecrets {
  if (sealed == null) return {}
  // What `sealedSettings` sealed.
  return JSON.parse(sealer.open(sealed, sealedFor(id))) as SettingSecrets
}

/** Seals and opens the secrets of an agent's settings. */
export interface SettingsSealer {
  seal: (charId: string, secrets: SettingSecrets) => string | null
  open: (character: StoredCharacter) => SettingSecrets
}

/** The same, with a key. */
export function settingsSealer(sealer: Sealer): SettingsSealer {
  return {
    seal: (charId, secrets) => sealedSettings(charId, secrets, sealer),
    open: (character) => settingsOf(character, sealer),
  }
}

/** An agent ready to be stored, and what became of the secrets of its settings. */
export interface KeptAgent {
  character: StoredCharacter
  /** The members of the agent in which a secret differs from before. */
  moved: string[]
  /** Pointers of stored secrets that would go to another origin than they were set for. */
  strayed: string[]
}

/**
 * An agent ready to be stored, with the secrets of its settings sealed.
 * @param previous the agent that it replaces
 * @param at its pointer in the input
 * @throws Refusal `invalid_input` for a masked secret where none is stored
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

/** The top-level member of an agent that an entry of `moved` belongs to. */
export function topMember(moved: string): string {
  return moved.slice(0, `${moved}/`.indexOf('/'))
}

/** A stored agent with its secrets in place of the masks, for a run that uses them. */
export function openedAgent<
  T extends Pick<StoredCharacter, 'id' | 'brain' | 'control' | 'settings_secrets'>,
>(agent: T, sealer: Pick<Sealer, 'open'>): T {
  const secrets = settingsOf(agent, sealer)
  if (Object.keys(secrets).length === 0) return agent
  const { brain, control } = agent
  const opened = { ...agent, ...structuredClone({ brain, control }) }
  insert(settingPlaces(opened), secrets)
  return opened
}

/** The tools of a stored task with their secrets in place of the masks, and the secrets inserted. */
export function openedTools(
  task: Pick<StoredTask, 'id' | 'tools' | 'trigger_secrets'>,
  sealer: Pick<Sealer, 'open'>,
): { tools: TaskTool[]; given: string[] } {
  return toolsWith(task, secretsOf(task, sealer))
}
