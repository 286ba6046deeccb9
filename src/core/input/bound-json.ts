import type * as z from 'zod'
import { isWalkedJson } from './walk.ts'

/** The alternatives of `z.json()`, in its order; the last two contain the same choice. */
const kinds = ['string', 'number', 'boolean', 'null', 'array', 'record']

/** Whether a schema is that of any JSON. */
export function isAnyJson(schema: z.core.$ZodTypes): boolean {
  const { def } = schema._zod
  if (def.type !== 'lazy') return false
  const { def: choice } = (def.getter() as z.core.$ZodTypes)._zod
  if (choice.type !== 'union') return false
  const options = choice.options as readonly z.core.$ZodTypes[]
  return options.length === kinds.length && options.every(({ _zod }, i) => isPlain(_zod, kinds[i]))
}

function isPlain({ def }: z.core.$ZodTypes['_zod'], type: string | undefined): boolean {
  return def.type === type && !def.checks?.length
}

/**
 * Makes a schema of any JSON check each value once. zod itself tries six schemas at every member and item
 * and copies all of it, which takes twenty times as long. zod still words the fault if it is not JSON.
 */
export function bindJson({ _zod: internals }: z.core.$ZodTypes): void {
  const parse = internals.parse.bind(internals)
  const isUnchecked = internals.run === internals.parse
  const quick: typeof parse = (payload, context) =>
    isWalkedJson(payload.value) || isJson(payload.value) ? payload : parse(payload, context)
  internals.parse = quick
  if (isUnchecked) internals.run = quick
}

function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      if (value === null) return true
      return Array.isArray(value) ? value.every(isJson) : areJson(value)
    default:
      return false
  }
}

/** Parsed JSON consists of plain objects with own members only. */
function areJson(value: object): boolean {
  const kind: unknown = Object.getPrototypeOf(value)
  if (kind !== Object.prototype && kind !== null) return false
  for (const name in value) if (!isJson((value as Record<string, unknown>)[name])) return false
  return true
}
