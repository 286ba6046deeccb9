import * as z from 'zod'
import { hasAtMost, textBound } from '#src/core/schema-parts.ts'
import type { TaskFormSchema } from '#src/agents/tasks/form.ts'

/** One field of a form. */
export type Field = TaskFormSchema['fields'][number]

/** What is wrong with a value. */
export interface Objection {
  message: string
  code: string
}

const lineAtMost = 2000
const textAtMost = 20_000

/** Whether a value is empty. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) && value.length === 0
}

/** The value of a field that was left empty. */
export function emptyOf({ type }: Field): unknown {
  const kind = kindOf(type)
  if (kind === 'boolean' || kind === 'checkbox') return false
  if (kind === 'multiselect') return []
  return kind === 'number' || kind === 'integer' ? null : ''
}

/** The fault of a value, if any. A field of an unknown type is a text. */
export function objectionTo(field: Field, value: unknown): Objection | undefined {
  return checks[kindOf(field.type)](value, field)
}

type Check = (value: unknown, field: Field) => Objection | undefined
type Kind = keyof typeof checks

function kindOf(type: string): Kind {
  const name = type.trim().toLowerCase()
  return isKind(name) ? name : 'text'
}

function isKind(name: string): name is Kind {
  return Object.hasOwn(checks, name)
}

const checks = {
  text: texts(lineAtMost),
  textarea: texts(textAtMost),
  email: shaped(z.email(), 'must be an e-mail address', 254),
  url: shaped(z.url({ protocol: /^https?$/ }), 'must be an address that begins with http', 2000),
  date: shaped(z.iso.date(), 'must be a day as YYYY-MM-DD', 10),
  number: (value) => (typeof value === 'number' ? undefined : wrongType('must be a number')),
  integer: (value) =>
    Number.isInteger(value) ? undefined : wrongType('must be a number without a fraction'),
  boolean: truth,
  // As in every form, a box that must be ticked counts as missing while it is not.
  checkbox: (value, field) =>
    field.required && value === false
      ? { message: 'must be ticked', code: 'required' }
      : truth(value),
  select: oneOf,
  radio: oneOf,
  multiselect: (value, field) => {
    if (!Array.isArray(value)) return wrongType('must be a list')
    const chosen: unknown[] = value
    if (new Set(chosen).size < chosen.length) return wrongValue('must name each option once')
    // Both lists may be long, and both come from others.
    const options = new Set(field.options)
    for (const one of chosen) {
      const objection = oneOfThese(one, options)
      if (objection) return objection
    }
    return undefined
  },
} as const satisfies Record<string, Check>

function texts(most: number): Check {
  return (value) => {
    if (typeof value !== 'string') return wrongType('must be a text')
    return hasAtMost(most, value) ? undefined : tooLong(most)
  }
}

function shaped(schema: z.ZodType, message: string, most: number): Check {
  return (value) => {
    if (typeof value !== 'string') return wrongType('must be a text')
    if (value.length > most) return tooLong(most)
    return schema.safeParse(value).success ? undefined : { message, code: 'invalid_format' }
  }
}

function truth(value: unknown): Objection | undefined {
  return typeof value === 'boolean' ? undefined : wrongType('must be true or false')
}

function oneOf(value: unknown, { options }: Field): Objection | undefined {
  return oneOfThese(value, new Set(options))
}

/** Where no options are named, any short text is valid. */
function oneOfThese(value: unknown, options: ReadonlySet<string>): Objection | undefined {
  if (typeof value !== 'string') return wrongType('must be a text')
  if (options.size === 0) return value.length <= lineAtMost ? undefined : tooLong(lineAtMost)
  return options.has(value) ? undefined : wrongValue('must be one of the options of the field')
}

function tooLong(most: number): Objection {
  return { message: textBound(most), code: 'too_big' }
}

function wrongType(message: string): Objection {
  return { message, code: 'invalid_type' }
}

function wrongValue(message: string): Objection {
  return { message, code: 'invalid_value' }
}
