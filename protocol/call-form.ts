import type { FaultItem } from '#src/core/errors.ts'
import { textObject } from '#src/core/input/lenient.ts'
import { nearest } from '#src/core/input/nearest.ts'
import type { Understood } from '#src/core/input/understood.ts'
import type { Operation } from '#src/core/operation.ts'
import { pointerStep } from '#src/core/text/text.ts'

export type Members = Readonly<Record<string, unknown>>

/** What the name of an operation and its input are called at other doors, and by those who write calls by heart. */
const otherNames = ['name', 'operation', 'method', 'tool', 'operation_name', 'tool_name'] as const
const otherInputs = ['arguments', 'params', 'args', 'input', 'parameters', 'payload'] as const

/** The members of an object that calls an operation, as a place has them. */
export interface CallForm {
  name: (typeof otherNames)[number]
  input: (typeof otherInputs)[number]
  /** Members around a call, which change nothing of it. */
  around?: readonly string[]
}

/** The members of a call as they were sent, and what they were called. */
export interface SentCall {
  name: unknown
  nameCalled: string
  /** Undefined where it was not sent. */
  input: unknown
  inputCalled: string
  /** Members that are none of a call: the input itself, if it has no member of its own. */
  rest: Members
  fault?: undefined
}

/** The call in an object, whichever of their names its members have; a fault where two of them say the same. */
export function sentCall(sent: Members, form: CallForm): SentCall | { fault: FaultItem } {
  const { name: naming, input: giving, around = [] } = form
  const named = otherNames.filter((one) => Object.hasOwn(sent, one))
  const given = otherInputs.filter((one) => Object.hasOwn(sent, one))
  for (const [own, there] of [
    [naming, named],
    [giving, given],
  ] as const) {
    const [first, second] = there.toSorted((a, b) => Number(b === own) - Number(a === own))
    if (second === undefined) continue
    const message = `"${first}" and "${second}" mean the same: send one of them.`
    return { fault: { pointer: pointerStep(second), message, code: 'unknown_member' } }
  }
  const [name, input] = [named[0] ?? naming, given[0] ?? giving]
  const known: readonly string[] = [name, input, ...around]
  return {
    name: sent[name],
    nameCalled: name,
    input: sent[input],
    inputCalled: input,
    rest: Object.fromEntries(Object.entries(sent).filter(([one]) => !known.includes(one))),
  }
}

function toldOf(own: string, called: string): Understood[] {
  return own === called ? [] : [{ pointer: pointerStep(own), as: 'member' }]
}

/** The input of a call, with how it was understood. */
export type SentInput =
  | { input: unknown; understood: readonly Understood[]; fault?: undefined }
  | { fault: FaultItem }

/**
 * The input that a call has for its operation: in its own member, also as a text of JSON, or where there is none, the
 * members next to the name.
 * @throws Refusal for a text of JSON over the bounds of a body
 */
export function inputOfCall(sent: SentCall, operation: Operation, form: CallForm): SentInput {
  const { input, rest } = sent
  const named = toldOf(form.name, sent.nameCalled)
  const pointer = pointerStep(form.input)
  const [stray] = Object.keys(rest)
  if (stray !== undefined) {
    const flat = flatInput(sent, operation, form)
    if (!flat) {
      const { shape } = operation.input
      const unknown = Object.keys(rest).find((one) => !Object.hasOwn(shape, one))
      return { fault: strayMember(unknown ?? stray, form) }
    }
    return { input: flat, understood: [...named, { pointer, as: 'document' }] }
  }
  const text = typeof input === 'string' ? input : undefined
  const read = text && textObject(text, { verbatim: operation.verbatim, at: pointer })
  const understood = [...named, ...toldOf(form.input, sent.inputCalled)]
  if (!read) return { input: input === undefined ? {} : input, understood }
  return { input: read, understood: [...understood, { pointer, as: 'object' }] }
}

/** The members next to the name, where all of them are the operation's; undefined where one could be the call's own. */
function flatInput(
  { input, inputCalled, rest }: SentCall,
  { input: { shape } }: Operation,
  { name, input: giving }: CallForm,
): Members | undefined {
  const isOwn = inputCalled !== giving && Object.hasOwn(shape, inputCalled)
  if (Object.hasOwn(shape, name) || (input !== undefined && !isOwn)) return undefined
  if (!Object.keys(rest).every((one) => Object.hasOwn(shape, one))) return undefined
  return input === undefined ? rest : { ...rest, [inputCalled]: input }
}

/** The fault of a member that a call does not have. */
export function strayMember(stray: string, { name, input }: CallForm): FaultItem {
  const suggestion = nearest(stray, [name, input])
  return {
    pointer: pointerStep(stray),
    message: `A call has no member "${stray.slice(0, 100)}": its members are "${name}" and "${input}".`,
    code: 'unknown_member',
    ...(suggestion !== undefined && { suggestion }),
  }
}

/** Whether an object has an input as calls do, under any name. */
export function hasInput(sent: Members): boolean {
  return otherInputs.some((one) => Object.hasOwn(sent, one))
}
