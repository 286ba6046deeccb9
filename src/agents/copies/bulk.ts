import { characterMembers, type CharacterInput } from '../character.ts'

/** From this many characters on, members that no code here reads are passed on as text. */
const bulkCharacters = 100_000

/** An agent without its large members of unknown names, and these as the inner text of a JSON object. */
export interface Parted {
  input: CharacterInput
  more: string | null
}

/** Splits an agent so that its large parts need not be built and serialized on the event loop. */
export function parted(whole: CharacterInput): Parted {
  const unknown = Object.entries(whole).filter(([name]) => !Object.hasOwn(characterMembers, name))
  if (unknown.length === 0) return { input: whole, more: null }
  const more = JSON.stringify(Object.fromEntries(unknown)).slice(1, -1)
  if (more.length < bulkCharacters) return { input: whole, more: null }
  const input = { ...whole }
  for (const [name] of unknown) Reflect.deleteProperty(input, name)
  return { input, more }
}
