import type * as z from 'zod'
import { isMap } from '#src/core/maps.ts'
import type { Operation } from '#src/core/operation.ts'
import { told, type Told } from '../ask.ts'
import { onceIn } from '../once.ts'
import type { Looking } from './reader.ts'

/** What a form of a view does. */
type Allowed = Pick<Operation, 'name'> & Parameters<typeof told>[1]

/**
 * Does what a form of a view asks for, if it is one of these operations, as the person who is signed in.
 * @returns undefined where it is none of them
 */
export async function acted(
  { terms, as }: Looking,
  form: URLSearchParams,
  allowed: readonly Allowed[],
): Promise<Told<Record<string, unknown>> | undefined> {
  const { operation: name, input, once: _once, ...fields } = Object.fromEntries(form)
  const operation = allowed.find((one) => one.name === name)
  if (!operation) return undefined
  const typed = Object.entries(fields).filter(([member, value]) => member !== '' && value !== '')
  const call = { ...inputOf(input), ...Object.fromEntries(typed) }
  const asked = { ...as, idempotencyKey: onceIn(form) }
  // A form may say anything: the operation checks it.
  return told(terms, operation, call as z.input<typeof operation.input>, asked)
}

function inputOf(text: string | undefined): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(text ?? '{}')
    return isMap(input) ? input : {}
  } catch {
    return {}
  }
}
