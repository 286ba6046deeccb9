import * as z from 'zod'
import { walk } from '#src/core/input/walk.ts'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { faultsOf } from '#src/core/input/validate.ts'

/** Characters of a text, and of a text in a list. */
const charactersAtMost = 20_000
const itemCharactersAtMost = 500
const itemsAtMost = 50

/** The schema of a member for a value that was written: as its own, and neither null nor blank. */
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
    .refine((value) => value.length <= most, { error: `must have at most ${most} characters` })
    .refine((value) => value.isWellFormed(), { error: 'must be well-formed Unicode' })
}

/** A value that fits, or every fault of one that does not. */
export type Fitted =
  | { value: unknown; faults?: undefined }
  | { value?: undefined; faults: FaultItem[] }

/**
 * What was written, checked. Some write JSON as a text where JSON itself is wanted: it counts as what
 * it says.
 */
export function fitted(schema: z.ZodType, written: unknown): Fitted {
  const direct = schema.safeParse(written)
  if (direct.success) return { value: direct.data }
  const inside = typeof written === 'string' ? jsonIn(written) : undefined
  const read = inside === undefined ? undefined : schema.safeParse(inside)
  if (read?.success) return { value: read.data }
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return { faults: faultsOf((read ?? direct).error?.issues ?? [], known) }
}

/** Longer texts hold no part of a profile. */
export const writtenCharactersAtMost = 200_000

/**
 * The JSON that a text is, also between the marks of a code block, checked and normalised as what
 * callers send; undefined where it is none, or deeper or larger than they may send it.
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

/** By hand: an expression for the whole would try every blank of a long text against every other. */
function unfenced(text: string): string {
  const isFenced = text.startsWith(mark) && text.endsWith(mark) && text.length > 2 * mark.length
  return isFenced ? text.slice(mark.length, -mark.length).replace(/^[a-z]+/i, '') : text
}

const bounds = new Set(['$schema', 'minLength', 'maxLength', 'minItems', 'maxItems'])

/**
 * The JSON Schema of it, without bounds: few providers know them, and those that do not refuse the
 * whole request.
 */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const whole = z.toJSONSchema(schema, {
    override({ jsonSchema }) {
      for (const name of bounds) Reflect.deleteProperty(jsonSchema, name)
    },
  })
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !bounds.has(name)))
}
