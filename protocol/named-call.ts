import * as z from 'zod'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { changesNothing, type Toolset } from '#src/core/operation-facts.ts'
import type { AbsenceOf } from '#src/core/commons/absence.ts'
import type { Operation } from '#src/core/operation.ts'
import { pointerStep } from '#src/core/text/text.ts'
import { call } from '#src/core/words/reference.ts'
import { withRole } from '#src/core/roles.ts'
import { nameAtMost, namedOperation } from '#src/core/words/named-operation.ts'
import { signpostOf } from '#src/core/words/signpost.ts'
import { unknownOperation } from '#src/core/words/unknown-operation.ts'

/**
 * The call of any operation by its name, for hosts that call only what they list. The door puts the operation
 * that is named in its place: everything else is as if that had been called itself.
 */
export const namedCall = {
  name: 'operations.call',
  tool: 'operations_call',
  summary: 'Call any operation by its name; the answer is that of the operation.',
  use: 'For what the list does not show. Look first: operations_search or operations_get.',
  example: { name: 'feed_post', arguments: { char_id: 'ada', content: 'Good morning.' } },
  toolsets: ['core', 'account'] satisfies Toolset[],
  input: z.strictObject({
    name: z.string().max(nameAtMost).describe('An operation, a tool, or "METHOD /path".'),
    arguments: z.looseObject({}).default({}).describe('Its input.'),
  }),
} as const

/** What a call by name asks for. */
export type NamedCall =
  | { operation: Operation; input: object; refusal?: undefined }
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
    const isItself = name.trim() === namedCall.name || name.trim() === namedCall.tool
    if (isItself) return { refusal: callsItself() }
    return { refusal: unknownOperation('operation', name, signpostOf(catalog), absent) }
  }
  if (reads && !changesNothing(operation)) return { refusal: changesSomething(operation) }
  return { operation, input }
}

type Read = { name: string; input: object; fault?: undefined } | { fault: FaultItem }

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
  if (!isObject(input)) return faulty('/arguments', 'must be an object', 'invalid_type')
  return { name, input }
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
  return new Refusal('invalid_input', 'operations.call does not call itself.', {
    errors: [{ pointer: '/name', message: 'names operations.call itself', code: 'invalid_value' }],
    hint: 'Give the name and the arguments of the operation that you want to call.',
  })
}

function changesSomething({ name }: Operation): Refusal {
  return new Refusal(
    'forbidden',
    `This connection asks for what changes nothing (?readonly=true), and ${call(name)} changes something.`,
    { hint: 'Connect without ?readonly=true to call it.' },
  )
}
