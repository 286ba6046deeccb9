import type { AbsenceOf } from '../commons/absence.ts'
import { Refusal } from '../errors.ts'
import { toolName } from '../operation-facts.ts'
import { wordsOfName } from '../text/synonyms.ts'
import { soughtBy } from './meant.ts'
import type { Signpost } from './signpost.ts'
import { call } from './reference.ts'

/** What a door calls an operation. */
type Kind = 'tool' | 'method' | 'operation'

/** Where all operations are offered, by what a door calls them. */
const platformDoors: Readonly<Record<Kind, string>> = {
  tool: '/mcp',
  method: '/a2a/',
  operation: '/a2a/',
}

/** How a door calls any operation by its name. */
interface CallByName {
  name: string
  /** What the door calls it. */
  said: string
  summary: string
}

/** The refusal for a name that no operation has, with the one that was most likely meant. */
export function unknownOperation(
  kind: Kind,
  name: string,
  signpost: Signpost,
  absent?: AbsenceOf,
  byName?: CallByName,
): Refusal {
  const absence = absent?.(name)
  if (absence) return new Refusal('operation_not_found', absence.message, { hint: absence.hint })
  const q = name.slice(0, 100)
  const message = `There is no ${kind} "${q}".`
  if (byName && meansAny(name)) return new Refusal('operation_not_found', message, leadBy(byName))
  const other = signpost.offeredElsewhere(name)
  if (other) {
    const hint = `The address ${platformDoors[kind]} of this server has it, by the same name. From here: ${call(other.name)}.`
    return new Refusal('operation_not_found', `This address has no ${kind} "${q}".`, { hint })
  }
  const meant = signpost.operationMeant(name)
  if (!meant) {
    const hint = `Look for it by what it does: ${call('operations.search', { q })}.`
    return new Refusal('operation_not_found', message, { hint })
  }
  const suggestion = kind === 'tool' ? toolName(meant) : meant.name
  return new Refusal('operation_not_found', message, {
    hint: `Did you mean ${call(meant.name)}? It does this: ${meant.summary} If not, look for it by what it does: ${call('operations.search')}.`,
    members: { suggestion },
  })
}

function leadBy({ name, said, summary }: CallByName) {
  const first = call(name, { name: 'operations.search', arguments: {} })
  return {
    hint: `Did you mean ${first}? It does this: ${summary}`,
    members: { suggestion: said },
  }
}

/** Whether a name says that an operation is called, and not which. */
function meansAny(name: string): boolean {
  const words = wordsOfName(name)
  const isThere = (meaning: string): boolean => words.some((word) => soughtBy(word).has(meaning))
  return words.length === 2 && isThere('operation') && isThere('invoke')
}
