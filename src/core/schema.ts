import * as z from 'zod'

/**
 * Schemas that are looser at the door than in the documents: the operation itself checks the
 * member, to report every fault at once or after merging, and documents show the full shape.
 */
export const documentedAs = new WeakMap<z.core.$ZodType, { schema: z.ZodType }>()

/** A document that the operation checks itself, shown to readers as this schema. */
export function uncheckedDocument(shown: z.ZodType) {
  const schema = z.looseObject({})
  documentedAs.set(schema, { schema: shown })
  return schema
}

/** The form of a warning. */
export const Warning = z.object({
  code: z.string(),
  pointer: z.string().optional(),
  message: z.string(),
  suggestion: z.string().optional(),
})
/** Something that was accepted but may not do what was meant. */
export type Warning = z.infer<typeof Warning>

/** The warnings of an answer, as a member only where there are any. */
export function withWarnings<T extends object>(
  value: T,
  warnings: readonly Warning[],
): T & { warnings?: Warning[] } {
  return warnings.length > 0 ? { ...value, warnings: [...warnings] } : value
}
