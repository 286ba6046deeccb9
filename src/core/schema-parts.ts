import * as z from 'zod'
import { recordUpTo } from './input/record.ts'

/** A text that may be null and is null when absent. */
export const optionalText = z.string().nullable().default(null)

/** An integer that may be null and is null when absent. */
export const optionalInteger = z.int().nullable().default(null)

/** How many texts a list or a map may have. */
export const textsAtMost = 1000
/** How many parts of one kind, each with members of its own, an agent or a task may have. */
export const partsAtMost = 200

/** A list of texts, empty when absent. */
export const texts = z.array(z.string()).max(textsAtMost).default([])

/** A map of texts, empty when absent. */
export const textMap = recordUpTo(textsAtMost, z.string()).default({})

/** An object with the caller's own members. */
export const freeObject = z.looseObject({}).default({})

/** A switch that is on when absent. */
export const enabled = z.boolean().default(true)

/** Whether a text has at most so many characters; one above U+FFFF counts once. */
export function hasAtMost(max: number, text: string): boolean {
  if (text.length <= max) return true
  // Each takes at most two units.
  return text.length <= 2 * max && Array.from(text).length <= max
}

/** The words of the fault `too_big` of a text. */
export function textBound(max: number): string {
  return `must have at most ${max} characters`
}

/** A text of at most so many characters, counted as JSON Schema counts them. */
export function textUpTo(max: number) {
  return z
    .string()
    .refine((text) => hasAtMost(max, text), {
      error: textBound(max),
      params: { code: 'too_big' },
    })
    .meta({ maxLength: max })
}

/** The members that a schema names, without the index signature for unknown members. */
export type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] }

/** Free maps: a null sent for one of their entries removes the entry. */
export const freeMaps: ReadonlySet<string> = new Set([
  'env',
  'variables',
  'variable_types',
  'config',
  'metadata',
])

// RFC 3339 writes years with four digits, and what begins then may reach into the next year.
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latest = Date.parse('9999-11-30T00:00:00Z')
/** A time that a caller names. */
export const Moment = z.iso
  .datetime({ offset: true })
  .refine(
    (text) => {
      const at = Date.parse(text)
      return at >= earliest && at <= latest
    },
    { error: 'must be a time in the years 0000 to 9999, before their last month' },
  )
  // It says no more than the format, at ten times the length.
  .meta({ pattern: undefined })
