import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { textObject } from '#src/core/input/lenient.ts'
import type { Understood } from '#src/core/input/understood.ts'
import { changesNothing } from '#src/core/operation-facts.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { Operation } from '#src/core/operation.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { call } from '#src/core/words/reference.ts'
import { withRole } from '#src/core/roles.ts'
import { nameAtMost, namedOperation } from '#src/core/words/named-operation.ts'
import { signpostOf } from '#src/core/words/signpost.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { isNamedCall, namedCall } from '#src/documents/lookup/named-call.ts'

/** What a call by name asks for. */
export type NamedCall =
  | {
      operation: Operation
      input: object
      /** That its input was read from a text. */
      understood?: readonly Understood[]
      refusal?: undefined
    }
  | { operation?: undefined; refusal: Refusal }

/** Whether a door with these operations takes calls by name: it is for those whose operations can be searched. */
export function takesNamedCalls(catalog: readonly Operation[]): boolean {
  return withRole(catalog, 'find_operations') !== undefined
}

/** What may be called by name at a door. */
interface Callable {
  /** What the door offers: nothing else can be called. */
  catalog: readonly Operation[]
  /** Why something is not among it, if the operator has switched it off. */
  absent?: AbsenceOf | undefined
  /** Only what changes nothing may be called. */
  reads?: boolean
}

/** The operation that a call by name means, with its input. */
export function calledByName(
  sent: unknown,
  { catalog, absent, reads = false }: Callable,
): NamedCall {
  const read = readOf(sent)
  if (read.fault) return { refusal: malformed(read.fault) }
  const { name, input } = read
  const operation = namedOperation(catalog, name)
  if (!operation) {
    if (isNamedCall(name)) return { refusal: callsItself() }
    return { refusal: unknownOperation('operation', name, signpostOf(catalog), absent) }
  }
  if (reads && !changesNothing(operation)) return { refusal: changesSomething(operation) }
  return typeof input === 'string' ? withText(operation, input) : { operation, input }
}

/** As models write the arguments of a tool: a text with the JSON object in it. */
function withText(operation: Operation, text: string): NamedCall {
  try {
    const input = textObject(text, { verbatim: operation.verbatim, at: '/arguments' })
    if (!input) return { refusal: malformed(noObject) }
    return { operation, input, understood: [{ pointer: '/arguments', as: 'object' }] }
  } catch (cause) {
    // JSON over the bounds of a body.
    if (cause instanceof Refusal) return { refusal: cause }
    throw cause
  }
}

type Read = { name: string; input: object | string; fault?: undefined } | { fault: FaultItem }

/** The members of the call. The input is passed on unchanged: the core checks it, and must see all of it. */
function readOf(sent: unknown): Read {
  if (!isObject(sent)) {
    return faulty('', 'must be an object with name and arguments', 'invalid_type')
  }
  const { name, arguments: input = {}, ...others } = sent
  const [stray] = Object.keys(others)
  if (stray !== undefined) {
    return faulty(pointerStep(stray), 'is not a member: send name and arguments', 'unknown_member')
  }
  if (typeof name !== 'string') return faulty('/name', 'must be a string', 'invalid_type')
  if (name.length > nameAtMost) {
    return faulty('/name', `must have at most ${nameAtMost} characters`, 'too_big')
  }
  if (!isObject(input) && typeof input !== 'string') return { fault: noObject }
  return { name, input }
}

const noObject: FaultItem = {
  pointer: '/arguments',
  message: 'must be an object, or the JSON of one',
  code: 'invalid_type',
}

function faulty(pointer: string, message: string, code: string): Read {
  return { fault: { pointer, message, code } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformed(fault: FaultItem): Refusal {
  return new Refusal('invalid_input', `${fault.pointer.slice(1)}: ${fault.message}`, {
    errors: [fault],
    hint: `For example ${JSON.stringify(namedCall.example)}`,
  })
}

function callsItself(): Refusal {
  const itself = call(namedCall.name)
  return new Refusal('invalid_input', `${itself} does not call itself.`, {
    errors: [{ pointer: '/name', message: `names ${itself}`, code: 'invalid_value' }],
    hint: 'Give the name and the arguments of the operation that you want to call.',
  })
}

/** The refusal of what changes something, on a connection that asks for reads alone. */
export function changesSomething({ name }: Operation): Refusal {
  return new Refusal(
    'forbidden',
    `This connection asks for what changes nothing (?readonly=true), and ${call(name)} changes something.`,
    { hint: 'Connect without ?readonly=true to call it.' },
  )
}
