import type { KeyCaller } from '#src/core/admission/caller.ts'
import { refuse, type FaultItem } from '#src/core/errors.ts'

/** Who writes: the owner of an agent, or a key that acts as it. */
export type Author = Pick<KeyCaller, 'charId' | 'setsPolicy'>

/** What stands at this pointer is its owner's alone to change. */
export function ownersAlone(pointer: string, message: string): FaultItem {
  return { pointer, message, code: 'owner_only' }
}

/** A secret that is kept goes where it was given for, whatever else a key may set. */
export function strayFaults(pointers: readonly string[]): FaultItem[] {
  return pointers.map((pointer) => {
    const message = 'A secret that is kept is not sent to another origin: send the secret itself.'
    return ownersAlone(pointer, message)
  })
}

/** @throws Refusal `owner_only` where there is any */
export function refuseOwnerOnly(faults: readonly FaultItem[]): void {
  const [first] = faults
  if (!first) return
  refuse('owner_only', first.message, {
    errors: faults,
    hint:
      first.code === 'secret_origin'
        ? "The account's own key may; none that acts as an agent, whatever its rights."
        : 'The account\'s own key may, and one that was made with api_keys.create {rights: ["policy"]}.',
  })
}
