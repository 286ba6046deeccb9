import * as z from 'zod'

/**
 * Schemas that are looser at the door than in the documents: the operation itself checks the member, to
 * report every fault at once or after merging, and documents show the full shape.
 */
export const documentedAs = new WeakMap<z.core.$ZodType, Documented>()

interface Documented {
  schema: z.ZodType
  /** It is merged into what is stored: absent members stay. */
  merges?: true
}

/**
 * What something was meant as that came in place of an object, by the schema of the object; undefined where it is not
 * certain. Asked only to show a caller the right form.
 */
export const meantAs = new WeakMap<
  z.core.$ZodType,
  (was: unknown) => Record<string, unknown> | undefined
>()

/** A document that the operation checks itself; readers are shown this schema. */
export function uncheckedDocument(shown: z.ZodType) {
  const schema = z.looseObject({})
  documentedAs.set(schema, { schema: shown })
  return schema
}

/** A patch that the operation merges into such a document and then checks as a whole. */
export function mergedDocument(whole: z.ZodObject) {
  const schema = z.looseObject({})
  documentedAs.set(schema, { schema: whole.partial(), merges: true })
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
