import * as z from 'zod'
import { isMap } from '#src/core/maps.ts'
import { documentedAs, meantAs } from '#src/core/schema.ts'
import { pointerStep, stepOf } from '#src/core/text/text.ts'

/** What stands at a place of an input, what its schema says, and what the example has there. */
export interface Place {
  at: string
  /** The name of the member, or of the list of which it is an item. */
  name: string
  schema: z.core.$ZodType | undefined
  example: unknown
}

/** The place of a member, or of an item, of what stands at another one. */
export function below({ at, name, schema, example }: Place, step: string | number): Place {
  const pointer = at + pointerStep(step)
  const bare = bareOf(schema)
  if (typeof step === 'number') {
    const item = bare instanceof z.ZodArray ? bare.element : undefined
    return {
      at: pointer,
      name,
      schema: item,
      example: Array.isArray(example) ? example[0] : undefined,
    }
  }
  const isThere = isMap(example) && Object.hasOwn(example, step)
  return {
    at: pointer,
    name: step,
    schema:
      bare instanceof z.ZodObject && Object.hasOwn(bare.shape, step) ? bare.shape[step] : undefined,
    example: isThere ? example[step] : undefined,
  }
}

/** The place of an input to which a pointer leads. */
export function placeAt(
  { input: schema, example }: { input: z.core.$ZodType; example: unknown },
  pointer: string,
): Place {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Place>((at, step) => below(at, /^\d+$/.test(step) ? Number(step) : stepOf(step)), {
      at: '',
      name: '',
      schema,
      example,
    })
}

/** The object that something in another form was meant as; undefined where its schema knows none. */
export function inOtherForm(was: unknown, { schema }: Place): Record<string, unknown> | undefined {
  const bare = bareOf(schema)
  return bare && meantAs.get(bare)?.(was)
}

/** A schema without what only makes it optional; of a document, the one that documents show. */
export function bareOf(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    return bareOf(schema.unwrap())
  }
  const shown = schema && documentedAs.get(schema)?.schema
  if (shown) return bareOf(shown)
  return schema instanceof z.ZodPipe ? bareOf(schema.out) : schema
}

/** Whether a value may be left out. */
export function isOptional(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
}

/** The texts among which one is chosen; undefined where any other value may stand. */
export function choicesOf(schema: z.core.$ZodType | undefined): string[] | undefined {
  const bare = bareOf(schema)
  return bare instanceof z.ZodEnum
    ? bare.options.filter((one): one is string => typeof one === 'string')
    : undefined
}

/** The number within the bounds of a schema that is nearest to one beyond them; undefined where there is none. */
export function withinBounds(
  schema: z.core.$ZodType | undefined,
  was: unknown,
): number | undefined {
  const bare = bareOf(schema)
  if (!(bare instanceof z.ZodNumber) || typeof was !== 'number') return undefined
  const { minValue, maxValue } = bare
  const least = Math.max(was, minValue ?? was)
  const near = Math.min(least, maxValue ?? least)
  return [near, Math.floor(near), Math.ceil(near)].find((one) => bare.safeParse(one).success)
}

/** From what to what a number may be; undefined where it is not bounded on both sides. */
export function rangeOf(schema: z.core.$ZodType | undefined): [number, number] | undefined {
  const bare = bareOf(schema)
  if (!(bare instanceof z.ZodNumber)) return undefined
  const { minValue, maxValue } = bare
  const isRange = [minValue, maxValue].every(
    // A whole number has the bounds of what can be counted.
    (one) => Math.abs(one ?? Infinity) < Number.MAX_SAFE_INTEGER && bare.safeParse(one).success,
  )
  return isRange ? [minValue ?? 0, maxValue ?? 0] : undefined
}

/** A number as the text that a schema asks for, such as a counter; undefined where it would not do. */
export function asText(schema: z.core.$ZodType | undefined, was: unknown): string | undefined {
  const bare = bareOf(schema)
  if (!(bare instanceof z.ZodString) || typeof was !== 'number') return undefined
  return bare.safeParse(String(was)).success ? String(was) : undefined
}
