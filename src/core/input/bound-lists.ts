import type * as z from 'zod'
import { bindJson, isAnyJson } from './bound-json.ts'

const bounded = new WeakSet<z.core.$ZodType>()

/**
 * Makes every list in a schema check its length before its items, since zod would first check each of a
 * hundred thousand items, and makes any JSON check each value once. Done once for each schema, in place.
 */
export function boundLists<S extends z.core.$ZodType>(schema: S): S {
  // The classes of zod are one union, told apart by the type in their definition.
  bind(schema as unknown as z.core.$ZodTypes)
  return schema
}

function bind(schema: z.core.$ZodTypes): void {
  if (bounded.has(schema)) return
  bounded.add(schema)
  if (isAnyJson(schema)) return bindJson(schema)
  for (const inner of innerOf(schema._zod.def)) bind(inner as z.core.$ZodTypes)
  if (schema._zod.def.type === 'array') bindList(schema as z.core.$ZodArray)
}

function innerOf(def: z.core.$ZodTypes['_zod']['def']): readonly z.core.$ZodType[] {
  switch (def.type) {
    case 'object':
      return [...Object.values(def.shape), ...(def.catchall ? [def.catchall] : [])]
    case 'array':
      return [def.element]
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])]
    case 'record':
      return [def.keyType, def.valueType]
    case 'union':
      return def.options
    case 'pipe':
      return [def.in, def.out]
    case 'lazy':
      return [def.getter()]
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
    case 'nonoptional':
      return [def.innerType]
    default:
      return []
  }
}

function bindList({ _zod: internals }: z.core.$ZodArray): void {
  const longest = internals.def.checks?.find((check) => check._zod.def.check === 'max_length')
  if (!longest) return
  // The definition of a check on the maximum length has it.
  const { maximum } = longest._zod.def as z.core.$ZodCheckMaxLengthDef
  const run = internals.run.bind(internals)
  internals.run = (payload, context) => {
    const isLong = Array.isArray(payload.value) && payload.value.length > maximum
    if (!isLong) return run(payload, context)
    // The check was made for any value with a length.
    void (longest as z.core.$ZodCheck<unknown>)._zod.check(payload)
    return payload
  }
}
