import { isDeepStrictEqual } from 'node:util'
import { ApprovalGate } from '../approval-gate.ts'

const openGate = ApprovalGate.parse({})
/** Members of gates that are off unless they are set. */
const switches: ReadonlySet<string> = new Set(['require_person', 'allow_edit'])

/**
 * The value of a member as it compares: a gate without a condition counts as none, and a switch that is off
 * as one that is left out.
 */
export function settled(name: string, value: unknown): unknown {
  if (name !== 'approval_gate' && name !== 'quorum') return value ?? null
  if (value === null || value === undefined) return null
  const kept = Object.entries(value).filter(
    ([member, set]) => set !== false || !switches.has(member),
  )
  const gate = Object.fromEntries(kept)
  return name === 'approval_gate' && isDeepStrictEqual(gate, openGate) ? null : gate
}
