import { characterMembers, type CharacterInput } from '../character.ts'

/** Characters of members that nobody here reads from which on they pass as text. */
const bulkCharacters = 100_000

/** An agent without its large members of unknown names, and these as the inside of a JSON object. */
export interface Parted {
  input: CharacterInput
  more: string | null
}

/** Parts an agent so that what is large of it need not be built and written on the event loop. */
export function parted(whole: CharacterInput): Parted {
  const unknown = Object.entries(whole).filter(([name]) => !Object.hasOwn(characterMembers, name))
  if (unknown.length === 0) return { input: whole, more: null }
  const more = JSON.stringify(Object.fromEntries(unknown)).slice(1, -1)
  if (more.length < bulkCharacters) return { input: whole, more: null }
  const input = { ...whole }
  for (const [name] of unknown) Reflect.deleteProperty(input, name)
  return { input, more }
}
