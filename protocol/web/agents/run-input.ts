import type * as z from 'zod'
import { emptyOf, isEmpty, objectionTo } from '#src/money/orders/forms/field.ts'
import { textOf } from '#src/views/parts.ts'
import type { Problems } from '../fields.ts'
import type { RunField } from './run-fields.ts'

type Json = z.core.util.JSONType

/** What a run is given. */
interface Given {
  input?: Json
  variables?: Record<string, string>
}

/** What a form gives a run, or what is wrong with it by the names of its fields. */
export type Filled =
  | { given: Given; problems?: undefined }
  | { given?: undefined; problems: Problems }

/** Reads the form by which a person runs a task. */
export function givenIn(form: URLSearchParams, fields: readonly RunField[]): Filled {
  const whole = wholeIn(form)
  if ('problem' in whole) return { problems: { input: whole.problem } }
  const filled = fields.map((field) => ({ field, value: valueOf(form, field) }))
  const some = filled.filter(({ value }) => !isEmpty(value) && value !== false)
  const isWhole = whole.input !== undefined
  if (isWhole && some.some(({ field }) => 'path' in field.into)) {
    return { problems: { input: 'Fill in the fields or the whole input, not both.' } }
  }
  const problems = Object.fromEntries(
    filled.flatMap((one) => {
      const problem = isWhole && 'path' in one.field.into ? undefined : problemOf(one)
      return problem === undefined ? [] : [[one.field.name, problem]]
    }),
  )
  if (Object.keys(problems).length > 0) return { problems }
  const members = isWhole ? [] : filled.flatMap(memberOf)
  const variables = some.flatMap(({ field: { into }, value }) =>
    'variable' in into ? [[into.variable, textOf(value)]] : [],
  )
  return {
    given: {
      ...(whole.input !== undefined && { input: whole.input }),
      ...(members.length > 0 && { input: nested(members) }),
      ...(variables.length > 0 && { variables: Object.fromEntries(variables) }),
    },
  }
}

interface FilledField {
  field: RunField
  value: Json
}

function problemOf({ field, value }: FilledField): string | undefined {
  if (isEmpty(value)) return field.required ? 'Fill this in.' : undefined
  const objection = objectionTo({ key: '', ...field }, value)
  return objection && `It ${objection.message}.`
}

type Member = readonly [path: readonly string[], value: Json]

function memberOf({ field, value }: FilledField): Member[] {
  const { into } = field
  if (!('path' in into)) return []
  if (!isEmpty(value)) return [[into.path, value]]
  // The kinds of values that a form has are JSON.
  return into.isAlways ? [[into.path, emptyOf({ key: '', ...field }) as Json]] : []
}

/** The value as its kind of field has it; a text that is no number stays one, and is objected to. */
function valueOf(form: URLSearchParams, { name, type }: RunField): Json {
  if (type === 'multiselect') return form.getAll(name).filter((one) => one !== '')
  const text = (form.get(name) ?? '').replaceAll('\r\n', '\n')
  if (type === 'checkbox' || type === 'boolean') return text === 'true'
  const isNumber = type === 'number' || type === 'integer'
  return isNumber && text.trim() !== '' ? numberIn(text) : text
}

function numberIn(text: string): number | string {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

function wholeIn(form: URLSearchParams): { input: Json | undefined } | { problem: string } {
  const text = (form.get('input') ?? '').replaceAll('\r\n', '\n')
  if (text.trim() === '') return { input: undefined }
  if (form.get('as') !== 'json') return { input: text }
  try {
    // What parses as JSON is JSON.
    return { input: JSON.parse(text) as Json }
  } catch {
    return { problem: 'This is not JSON.' }
  }
}

/** An object that has the values at their paths. A path through a value that is no object is left out. */
function nested(members: readonly Member[]): Json {
  const groups = Map.groupBy(members, ([[first = '']]) => first)
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const [here] = group.filter(([path]) => path.length === 1)
      const below = group.filter(([path]) => path.length > 1)
      return [name, here ? here[1] : nested(below.map(([path, value]) => [path.slice(1), value]))]
    }),
  )
}
