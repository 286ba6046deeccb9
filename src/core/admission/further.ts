import { writerOf } from '../commons/writer.ts'
import type { Ports } from '../context.ts'
import type { Call } from '../door.ts'
import { takesAgent } from '../operation-facts.ts'
import type { Operation } from '../operation.ts'
import { shownOf, type Shown } from '../input/slim.ts'
import type { Caller } from './caller.ts'
import type { Understood } from '../input/understood.ts'
import type { LimitState } from './limits.ts'

/** What is found out on the way of a call: its rate limit, and what it is to be shown of the answer. */
export interface Seen {
  limit?: LimitState
  shown?: Shown | undefined
  understood?: readonly Understood[]
  /** The input as it was understood, before its schema filled in what it lacked. */
  sent?: unknown
}

/** A call after the members of its input were taken out that the entrance itself acts on. */
export interface Further {
  /** The member of the Commons that writes, or the caller as it was. */
  caller: Caller
  valid: Record<string, unknown>
  /** What is to be shown of the answer; all of it by default. */
  shown?: Shown | undefined
}

/** Whether the input has members, or lacks one, that the entrance itself acts on. */
export function hasFurther(
  op: Operation,
  sender: Caller,
  checked: Record<string, unknown>,
): boolean {
  return takesAgent(op)
    ? sender.kind === 'key' || 'as_char_id' in checked
    : op.slim !== undefined && ('view' in checked || 'fields' in checked)
}

/**
 * Takes them out of the checked input.
 * @throws Refusal `invalid_input` for unknown `fields`; `forbidden`, `character_not_found` and others for
 *   who writes in the Commons
 */
export async function withFurther(
  { members }: Pick<Ports, 'members'>,
  { operation: op, address }: Call,
  sender: Caller,
  checked: Record<string, unknown>,
): Promise<Further> {
  if (op.slim) return { caller: sender, ...shownOf(op, checked) }
  const { as_char_id: named, ...valid } = checked
  // The schema has checked that it is a text.
  return { caller: await writerOf(members, sender, named as string | undefined, address), valid }
}
