import type * as z from 'zod'

/** Converts the texts of an address to what a schema expects; a text it cannot convert stays a text. */
export type Coercion = (texts: readonly string[]) => unknown

const numeral = /^-?\d{1,16}(?:\.\d{1,16})?(?:e[+-]?\d{1,3})?$/i

/**
 * Lists are sent by repeating the name (a comma may belong to a value). A name that is repeated where
 * one value is expected stays a list, for the schema to refuse.
 */
export function coercionOf(schema: z.core.$ZodType): Coercion {
  const inner = unwrapped(schema)
  const { def } = inner._zod
  if (def.type === 'array') {
    // The definition of an array schema holds the schema of its items.
    const one = scalarOf((def as z.core.$ZodArrayDef).element)
    return (texts) => texts.map(one)
  }
  const one = scalarOf(inner)
  return (texts) => (texts.length === 1 ? one(texts[0] ?? '') : texts)
}

function scalarOf(schema: z.core.$ZodType): (text: string) => unknown {
  const inner = unwrapped(schema)
  const { def } = inner._zod
  switch (def.type) {
    case 'number':
      return (text) => (numeral.test(text) ? Number(text) : text)
    case 'boolean':
      return (text) => (text === 'true' || text === '1' ? true : isFalse(text) ? false : text)
    case 'union': {
      // The definition of a union schema holds its options.
      const options = (def as z.core.$ZodUnionDef).options.map(scalarOf)
      return (text) => options.map((one) => one(text)).find((value) => value !== text) ?? text
    }
    default:
      return (text) => text
  }
}

const isFalse = (text: string): boolean => text === 'false' || text === '0'

/** The schema inside defaults, optionals and pipes: what the caller must send. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = schema._zod
  if (def.type === 'pipe') return unwrapped((def as z.core.$ZodPipeDef).in)
  // The definition of each wrapping schema holds the inner schema.
  if ('innerType' in def) return unwrapped((def as z.core.$ZodOptionalDef).innerType)
  return schema
}
