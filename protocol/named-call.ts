import { Refusal, type FaultItem } from '#src/core/errors.ts'
import type { Understood } from '#src/core/input/understood.ts'
import { changesNothing } from '#src/core/operation-facts.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { Operation } from '#src/core/operation.ts'
import { call } from '#src/core/words/reference.ts'
import { withRole } from '#src/core/roles.ts'
import { nameAtMost, namedOperation } from '#src/core/words/named-operation.ts'
import { signpostOf } from '#src/core/words/signpost.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'
import { isNamedCall, namedCall } from '#src/documents/lookup/named-call.ts'
import { inputOfCall, sentCall, type CallForm, type SentCall } from './call-form.ts'

/** What a call by name asks for. */
export type NamedCall =
  | {
      operation: Operation
      input: object
      /** How the call itself was understood. */
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

/** As the call by name has them. */
const form: CallForm = { name: 'name', input: 'arguments' }

/** The operation that a call by name means, with its input. */
export function calledByName(
  sent: unknown,
  { catalog, absent, reads = false }: Callable,
): NamedCall {
  const read = readOf(sent)
  if (read.fault) return { refusal: malformed(read.fault) }
  const operation = namedOperation(catalog, read.name)
  if (!operation) {
    if (isNamedCall(read.name)) return { refusal: callsItself() }
    return { refusal: unknownOperation('operation', read.name, signpostOf(catalog), absent) }
  }
  if (reads && !changesNothing(operation)) return { refusal: changesSomething(operation) }
  return withInput(operation, read)
}

function withInput(operation: Operation, sent: SentCall): NamedCall {
  try {
    const given = inputOfCall(sent, operation, form)
    if (given.fault) return { refusal: malformed(given.fault) }
    const { input, understood } = given
    if (!isObject(input)) return { refusal: malformed(noObject) }
    return { operation, input, ...(understood.length > 0 && { understood }) }
  } catch (cause) {
    // JSON over the bounds of a body.
    if (cause instanceof Refusal) return { refusal: cause }
    throw cause
  }
}

/** The members of the call. The input is passed on unchanged: the core checks it, and must see all of it. */
function readOf(sent: unknown): (SentCall & { name: string }) | { fault: FaultItem } {
  if (!isObject(sent)) {
    return faulty('', 'must be an object with name and arguments', 'invalid_type')
  }
  const read = sentCall(sent, form)
  if (read.fault) return read
  const { name } = read
  if (typeof name !== 'string') return faulty('/name', 'must be a string', 'invalid_type')
  if (name.length > nameAtMost) {
    return faulty('/name', `must have at most ${nameAtMost} characters`, 'too_big')
  }
  return { ...read, name }
}

const noObject: FaultItem = {
  pointer: '/arguments',
  message: 'must be an object, or the JSON of one',
  code: 'invalid_type',
}

function faulty(pointer: string, message: string, code: string): { fault: FaultItem } {
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
