import type * as z from 'zod'
import { nearest } from './nearest.ts'
import { codes, Refusal, type Code, type FaultItem } from './errors.ts'
import type { Operation } from './operation.ts'
import { pointerStep, pointerTo } from './text.ts'

const depthAtMost = 32
const nodesAtMost = 200_000

/** An input that was walked once: texts normalised, and the first ill-formed text, if any. */
export interface Walked {
  value: unknown
  illFormed: string | undefined
}

/**
 * Counts depth and members, and normalises texts to NFC unless they are kept verbatim. What needs
 * no change is passed on as it is.
 * @throws Refusal `too_deep`, `bad_json` for a member called `__proto__`
 */
export function walk(input: unknown, verbatim: boolean): Walked {
  const walker = new Walker(verbatim)
  const value = walker.visit(input, 0, '')
  return { value, illFormed: walker.illFormed }
}

class Walker {
  readonly #verbatim: boolean
  #nodes = 0
  illFormed: string | undefined

  constructor(verbatim: boolean) {
    this.#verbatim = verbatim
  }

  visit(value: unknown, depth: number, pointer: string): unknown {
    if (++this.#nodes > nodesAtMost) {
      throw new Refusal('too_deep', `The input has more than ${nodesAtMost} members and items.`)
    }
    if (typeof value === 'string') return this.#text(value, pointer)
    if (typeof value !== 'object' || value === null) return value
    if (depth >= depthAtMost) {
      throw new Refusal('too_deep', `The input is nested more than ${depthAtMost} levels deep.`)
    }
    return Array.isArray(value)
      ? this.#list(value, depth, pointer)
      : this.#members(value, depth, pointer)
  }

  #text(text: string, pointer: string): string {
    if (!text.isWellFormed()) this.illFormed ??= pointer
    return this.#verbatim ? text : text.normalize()
  }

  #list(items: unknown[], depth: number, pointer: string): unknown[] {
    let changed: unknown[] | undefined
    for (let i = 0; i < items.length; i++) {
      const visited = this.visit(items[i], depth + 1, `${pointer}/${i}`)
      if (visited !== items[i]) (changed ??= [...items])[i] = visited
    }
    return changed ?? items
  }

  #members(value: object, depth: number, pointer: string): object {
    let changed: Record<string, unknown> | undefined
    for (const [name, member] of Object.entries(value)) {
      if (name === '__proto__') {
        throw new Refusal('bad_json', 'A member may not be called "__proto__".')
      }
      if (!name.isWellFormed()) this.illFormed ??= pointer
      const visited = this.visit(member, depth + 1, pointer + pointerStep(name))
      if (visited !== member) (changed ??= { ...value })[name] = visited
    }
    return changed ?? value
  }
}

/**
 * The input as the operation's schema gives it, defaults filled in.
 * @throws Refusal `invalid_input`, or the code that a rule of the schema names, with every fault
 */
export function validate(op: Operation, walked: Walked): Record<string, unknown> {
  if (walked.illFormed !== undefined) {
    const fault = { message: 'The text is not well-formed Unicode.', code: 'ill_formed_text' }
    throw invalid([{ pointer: walked.illFormed, ...fault }])
  }
  const result = op.input.safeParse(walked.value)
  if (result.success) return result.data
  const known = Object.keys(op.input.shape)
  throw invalid(faultsOf(result.error.issues, known))
}

function isCode(code: string): code is Code {
  return Object.hasOwn(codes, code)
}

function invalid(errors: FaultItem[]): Refusal {
  const [first] = errors
  // Where a rule of the schema has a code of its own, and nothing else is wrong, that is the code.
  const named = new Set(errors.map((fault) => fault.code))
  const code = first && named.size === 1 && isCode(first.code) ? first.code : 'invalid_input'
  const where = first?.pointer ? ` at ${first.pointer}` : ''
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new Refusal(code, `${first?.message ?? 'The input is not valid.'}${where}${more}`, {
    errors,
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
