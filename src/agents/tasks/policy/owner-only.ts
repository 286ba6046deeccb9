import type { KeyCaller } from '#src/core/admission/caller.ts'
import { beyondScope } from '#src/core/authorization/beyond-scope.ts'
import { refuse, type FaultItem } from '#src/core/errors.ts'

/** Who writes: the owner of an agent, a key that acts as it, or a connected program. */
export type Author = Pick<KeyCaller, 'charId' | 'setsPolicy' | 'connection'>

/**
 * Whether it counts as the owner itself: a key of the account, a person who holds it, or a program that a person lets
 * manage all of it.
 */
export function isOwner({ charId, setsPolicy }: Author): boolean {
  return charId === undefined && setsPolicy
}

/** The fault of changing a value at this pointer that only the owner may change. */
export function ownersAlone(pointer: string, message: string): FaultItem {
  return { pointer, message, code: 'owner_only' }
}

/** The same where not even the right `policy` of a key that acts as the agent counts as the owner. */
export function needsOwnerItself(pointer: string, message: string): FaultItem {
  return { pointer, message, code: 'require_person' }
}

/** The faults of sending stored secrets to other origins than they were set for. */
export function strayFaults(pointers: readonly string[]): FaultItem[] {
  return pointers.map((pointer) => {
    const message = 'A stored secret is not sent to another origin: send the secret itself.'
    return ownersAlone(pointer, message)
  })
}

/** Codes of faults of which no right of a key that acts as an agent frees. */
const ownersItself: ReadonlySet<string> = new Set(['secret_origin', 'require_person'])

/** @throws Refusal `owner_only` if there is any fault; `insufficient_scope` for a program of the whole account */
export function refuseOwnerOnly(
  faults: readonly FaultItem[],
  { charId, connection }: Author,
): void {
  const [first] = faults
  if (!first) return
  if (connection && charId === undefined) {
    throw beyondScope(connection, 'admin', first.message, faults)
  }
  refuse('owner_only', first.message, {
    errors: faults,
    hint: ownersItself.has(first.code)
      ? "The account's own key may; a key that acts as an agent may not, even one with rights."
      : 'The account\'s own key may, and one that was made with <api_keys.create> and rights ["policy"].',
  })
}
