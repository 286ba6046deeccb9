import type { AbsenceOf } from '../commons/absence.ts'
import { Refusal } from '../errors.ts'
import { toolName } from '../operation-facts.ts'
import type { Signpost } from './signpost.ts'
import { call } from './reference.ts'

/** What a door calls an operation. */
type Kind = 'tool' | 'method' | 'operation'

/** The refusal for a name that no operation has, with the one that was most likely meant. */
export function unknownOperation(
  kind: Kind,
  name: string,
  signpost: Signpost,
  absent?: AbsenceOf,
): Refusal {
  const absence = absent?.(name)
  if (absence) return new Refusal('operation_not_found', absence.message, { hint: absence.hint })
  const meant = signpost.operationMeant(name)
  const q = name.slice(0, 100)
  const message = `There is no ${kind} "${q}".`
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
