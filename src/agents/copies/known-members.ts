import * as z from 'zod'
import { isMap } from '#src/core/maps.ts'

/**
 * A value without the members that its schema does not name, at any depth. Free-form objects such
 * as `config` become empty; maps of texts stay.
 */
export function knownOnly(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => knownOnly(inner.element, item))
  }
  if (!(inner instanceof z.ZodObject) || !isMap(value)) return value
  const members = Object.entries(inner.shape).flatMap(([name, member]): [string, unknown][] =>
    Object.hasOwn(value, name) ? [[name, knownOnly(member, value[name])]] : [],
  )
  return Object.fromEntries(members)
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) inner = inner.unwrap()
  return inner
}
