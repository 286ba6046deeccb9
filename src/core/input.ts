import type * as z from 'zod'
import { nearest } from './nearest.ts'
import { codes, Refusal, type Code, type FaultItem } from './errors.ts'
import type { Operation } from './operation.ts'
import { pointerStep, pointerTo } from './text.ts'
import { faultsAtMost, faultsIn, type Walked } from './admission/walk.ts'

/**
 * The input as the operation's schema gives it, defaults filled in.
 * @throws Refusal `invalid_input`, or the code that a rule of the schema names, with every fault
 */
export function validate(op: Operation, walked: Walked): Record<string, unknown> {
  if (walked.isFaulty) throw invalid(faultsIn(walked.value))
  const result = op.input.safeParse(walked.value)
  if (result.success) return result.data
  const known = Object.keys(op.input.shape)
  throw invalid(faultsOf(result.error.issues, known))
}

function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code)
}

function invalid(errors: readonly FaultItem[]): Refusal {
  const [first] = errors
  // Where a rule of the schema has a code of its own, and nothing else is wrong, that is the code.
  const named = new Set(errors.map((fault) => fault.code))
  const code = first && named.size === 1 && isCode(first.code) ? first.code : 'invalid_input'
  const member = first?.pointer.split('/').at(-1)
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Refusal(code, `${member ? `${member}: ` : ''}${first?.message ?? ''}${more}`, {
    errors: errors.slice(0, faultsAtMost),
  })
}

/**
 * Every issue of a schema as a fault with its pointer; unknown members get the nearest known name.
 * @param known the names of the top-level members
 */
export function faultsOf(
  issues: readonly z.core.$ZodIssue[],
  known: readonly string[],
): FaultItem[] {
  return issues.flatMap((issue): FaultItem[] => {
    const pointer = pointerTo(issue.path)
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) =>
        unknownMember(pointer, key, issue.path.length === 0 ? known : []),
      )
    }
    if (issue.code === 'custom' && typeof issue.params?.code === 'string') {
      return [{ pointer, message: issue.message, code: issue.params.code }]
    }
    return [{ pointer, message: issue.message, code: issue.code }]
  })
}

function unknownMember(pointer: string, key: string, known: readonly string[]): FaultItem {
  const suggestion = nearest(key, known)
  return {
    pointer: pointer + pointerStep(key),
    message: `There is no member "${key.slice(0, 100)}"${suggestion ? `: did you mean "${suggestion}"?` : '.'}`,
    code: 'unknown_member',
    ...(suggestion && { suggestion }),
  }
}

/**
 * A member that the operation checks itself, as its schema gives it.
 * @param at the pointer of the member in the input
 * @throws Refusal `invalid_input`, or the code that a rule of the schema names, with every fault
 */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, at: string): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = faultsOf(result.error.issues, []).map((fault) => ({
    ...fault,
    pointer: at + fault.pointer,
  }))
  throw invalid(faults)
}
