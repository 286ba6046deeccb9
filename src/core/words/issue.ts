import type * as z from 'zod'

/**
 * What a schema says of a value, in the words of this service and not in those of the library: as "must be a text, and
 * is missing". For its option `error`; what a schema says by itself comes before it.
 */
export function issueWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typed([issue.expected], issue.input)
    case 'invalid_value':
      return `must be ${choice(issue.values)}${lacking(issue.input)}`
    case 'too_small':
      return `must ${sized(issue.origin, 'least', issue.minimum, issue)}`
    case 'too_big':
      return `must ${sized(issue.origin, 'most', issue.maximum, issue)}`
    case 'invalid_format':
      return formatted(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      // Their joined names would never be shown.
      return 'There is no such member.'
    case 'invalid_union':
      return union(issue)
    case 'invalid_key':
      return 'has a name that it may not have'
    default:
      return none
  }
}

const wanted: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  map: 'an object',
  nan: 'a number',
  never: 'left out',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
}

function typed(types: readonly string[], value: unknown): string {
  const kinds = new Set(types.map((type) => wanted[type] ?? 'of another type'))
  // A number that is none of the whole ones.
  const is =
    typeof value === 'number' && kinds.has('a whole number') ? '' : `, and is ${kindOf(value)}`
  return `must be ${[...kinds].join(' or ')}${is}`
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'boolean') return String(value)
  return { number: 'a number', string: 'a text' }[typeof value as string] ?? 'an object'
}

function lacking(value: unknown): string {
  return value === undefined ? ', and is missing' : ''
}

function choice(values: readonly unknown[]): string {
  const all = values.map((one) => (typeof one === 'string' ? `"${one}"` : String(one)))
  return all.length === 1 ? (all[0] ?? '') : `one of ${all.join(', ')}`
}

const units: Readonly<Record<string, string>> = {
  array: 'items',
  file: 'bytes',
  map: 'members',
  set: 'items',
  string: 'characters',
}

function sized(
  origin: string,
  side: 'least' | 'most',
  bound: number | bigint,
  { inclusive, exact }: { inclusive?: boolean; exact?: boolean },
): string {
  const unit = units[origin]
  if (unit === undefined) {
    const beyond = side === 'least' ? 'above' : 'below'
    return inclusive === false ? `be ${beyond} ${bound}` : `be at ${side} ${bound}`
  }
  if (side === 'least' && Number(bound) === 1 && exact !== true) return 'not be empty'
  const of = Number(bound) === 1 ? unit.replace(/s$/, '') : unit
  return `have ${exact === true ? 'exactly' : `at ${side}`} ${bound} ${of}`
}

const formats: Readonly<Record<string, string>> = {
  base64: 'base64',
  date: 'a day as YYYY-MM-DD',
  datetime: 'a time as 2026-01-31T09:00:00Z',
  email: 'an e-mail address',
  url: 'an address that begins with http',
  uuid: 'a UUID',
}

function formatted({ format, pattern }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidStringFormat>) {
  const form = formats[format]
  return form === undefined ? `must match ${String(pattern).slice(0, 200)}` : `must be ${form}`
}

const none = 'is in none of the forms that it may have'

function union({ errors, options, input }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>) {
  if (Array.isArray(options) && options.length > 0) return `must be ${choice(options)}`
  const types = (errors ?? []).map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? first.expected : undefined,
  )
  return types.length > 0 && types.every((type) => type !== undefined) ? typed(types, input) : none
}
