import * as z from 'zod'
import { walk } from '#src/core/input/walk.ts'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { faultsOf } from '#src/core/input/validate.ts'
import { issueWords } from '#src/core/words/issue.ts'
import { textBound } from '#src/core/schema-parts.ts'

/** Characters of a text, and of a text in a list. */
const charactersAtMost = 20_000
const itemCharactersAtMost = 500
const itemsAtMost = 50

/** The schema of a member for a generated value: its own, but neither null nor blank. */
export function writtenAs(own: z.core.$ZodType): z.ZodType {
  const schema = withoutDefault(own)
  if (schema instanceof z.ZodString) return text(schema, charactersAtMost)
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString) {
    return z.array(text(schema.element, itemCharactersAtMost)).min(1).max(itemsAtMost)
  }
  throw new Error('only texts and lists of them can be written')
}

function withoutDefault(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? withoutDefault(schema.unwrap())
    : schema
}

function text(own: z.ZodString, most: number): z.ZodType {
  return own
    .refine((value) => value.trim() !== '', { error: 'must not be blank' })
    .refine((value) => value.length <= most, { error: textBound(most) })
    .refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode' })
}

/** A valid value, or all faults of an invalid one. */
export type Fitted =
  | { value: unknown; faults?: undefined }
  | { value?: undefined; faults: FaultItem[] }

/**
 * Checks a generated value. Some models write JSON as a text where JSON itself is wanted: the text is
 * parsed.
 */
export function fitted(schema: z.ZodType, written: unknown): Fitted {
  const direct = schema.safeParse(written, { error: issueWords })
  if (direct.success) return { value: direct.data }
  const inside = typeof written === 'string' ? jsonIn(written) : undefined
  const read = inside === undefined ? undefined : schema.safeParse(inside, { error: issueWords })
  if (read?.success) return { value: read.data }
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return { faults: faultsOf((read ?? direct).error?.issues ?? [], known) }
}

/** Longer texts are no valid part of a profile. */
export const writtenCharactersAtMost = 200_000

/**
 * The JSON in a text, also within a code block, checked and normalized like input from callers;
 * undefined if it is not JSON, or deeper or larger than input may be.
 */
export function jsonIn(text: string): unknown {
  try {
    const read: unknown = JSON.parse(unfenced(text.trim()))
    return walk(read, { charactersAtMost: writtenCharactersAtMost }).value
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof Refusal) return undefined
    throw cause
  }
}

const mark = '```'

/** By hand: a regular expression would take quadratic time on the blanks of a long text. */
function unfenced(text: string): string {
  const isFenced = text.startsWith(mark) && text.endsWith(mark) && text.length > 2 * mark.length
  return isFenced ? text.slice(mark.length, -mark.length).replace(/^[a-z]+/i, '') : text
}

const bounds = new Set(['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems'])

/**
 * Its JSON Schema, without bounds: few providers support them, and the others refuse the whole request.
 */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const whole = z.toJSONSchema(schema, {
    override({ jsonSchema }) {
      for (const name of bounds) Reflect.deleteProperty(jsonSchema, name)
    },
  })
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !bounds.has(name)))
}
