import * as z from 'zod'

/** A text that may be null and is null when absent. */
export const optionalText = z.string().nullable().default(null)

/** An integer that may be null and is null when absent. */
export const optionalInteger = z.int().nullable().default(null)

/** A list of texts, empty when absent. */
export const texts = z.array(z.string()).default([])

/** A map of texts, empty when absent. */
export const textMap = z.record(z.string(), z.string()).default({})

/** An object whose members are the caller's own. */
export const freeObject = z.looseObject({}).default({})

/** A switch that is on when absent. */
export const enabled = z.boolean().default(true)

/** Whether a text has at most so many characters; one above U+FFFF counts once. */
export function hasAtMost(max: number, text: string): boolean {
  return text.length <= max || Array.from(text).length <= max
}

/** A text of at most so many characters, counted as JSON Schema counts them. */
export function textUpTo(max: number) {
  return z
    .string()
    .refine((text) => hasAtMost(max, text), {
      error: `must have at most ${max} characters`,
      params: { code: 'too_big' },
    })
    .meta({ maxLength: max })
}

/** The members that a schema names, without the index signature that unknown members need. */
export type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

/** Free maps: a null sent for one of their entries removes it. */
export const freeMaps: ReadonlySet<string> = new Set([
  'env',
  'variables',
  'variable_types',
  'config',
  'metadata',
])
