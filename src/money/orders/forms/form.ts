import { faultsAtMost } from '#src/core/input/walk.ts'
import { Refusal, type FaultItem } from '#src/core/errors.ts'
import { nearest, newEffort, type Effort } from '#src/core/input/nearest.ts'
import { sizeOf } from '#src/core/counts/quotas.ts'
import { isPlain, pointerStep } from '#src/core/text/text.ts'
import type { TaskFormSchema } from '#src/agents/tasks/form.ts'
import { textBound } from '#src/core/schema-parts.ts'
import { emptyOf, isEmpty, objectionTo, type Field, type Objection } from './field.ts'

/** The values of a form. */
export type Form = Record<string, unknown>

/** The most bytes of a form as JSON. */
export const formBytesAtMost = 65_536
/** The most members of any form. */
export const formMembersAtMost = 1000
/** The most members of a form without a form_schema. */
export const freeMembersAtMost = 50
const freeTextAtMost = 10_000
/** The longest field name that a refusal repeats. */
const nameAtMost = 64

/**
 * A form as it was sent, without its empty members, if it is what the task asks for. A task without a
 * form_schema accepts any flat object of texts, numbers and booleans.
 * @throws Refusal `invalid_input` with every fault
 */
export function checkedForm(schema: TaskFormSchema | null, form: Form): Form {
  const bytes = sizeOf(form)
  if (bytes > formBytesAtMost) {
    const message = `The form has at most ${formBytesAtMost} bytes as JSON, not ${bytes}.`
    throw invalid([{ pointer: '/form', message, code: 'too_big' }])
  }
  const faults = schema ? faultsOf(schema.fields, form) : freeFaultsOf(form)
  if (faults.length > 0) throw invalid(faults)
  return Object.fromEntries(Object.entries(form).filter(([, value]) => value !== null))
}

/**
 * The input of an order's run: the values that were sent, and an empty value for each of the other
 * fields, so that a prompt may name them all.
 */
export function filledForm(schema: TaskFormSchema | null, form: Form): Form {
  const rest = (schema?.fields ?? []).filter(({ key }) => !Object.hasOwn(form, key))
  return { ...form, ...Object.fromEntries(rest.map((field) => [field.key, emptyOf(field)])) }
}

function faultsOf(fields: readonly Field[], form: Form): FaultItem[] {
  const keys = fields.map(({ key }) => key)
  const known = new Set(keys)
  const effort = newEffort()
  const unknown = Object.keys(form).filter((name) => !known.has(name))
  return [
    ...fields.flatMap((field) => {
      const value = Object.hasOwn(form, field.key) ? form[field.key] : undefined
      const objection = isEmpty(value) ? missing(field) : objectionTo(field, value)
      return objection ? [faultAt(field.key, objection)] : []
    }),
    ...unknown.map((name) => unknownMember(name, keys, effort)),
  ]
}

function missing({ required }: Field): Objection | undefined {
  return required ? { message: 'must be filled in', code: 'required' } : undefined
}

function unknownMember(name: string, keys: readonly string[], effort: Effort): FaultItem {
  const suggestion = nearest(name, keys, effort)
  return {
    ...faultAt(name, { message: 'The form has no such field.', code: 'unknown_member' }),
    ...(suggestion !== undefined && { suggestion }),
  }
}

function freeFaultsOf(form: Form): FaultItem[] {
  const members = Object.entries(form)
  if (members.length > freeMembersAtMost) {
    const message = `The form has at most ${freeMembersAtMost} members.`
    return [{ pointer: '/form', message, code: 'too_big' }]
  }
  return members.flatMap(([name, value]): FaultItem[] => {
    if (typeof value === 'object' && value !== null) {
      const message = 'must be a text, a number, true or false: the task asks for nothing else'
      return [faultAt(name, { message, code: 'invalid_type' })]
    }
    if (typeof value !== 'string' || value.length <= freeTextAtMost) return []
    return [faultAt(name, { message: textBound(freeTextAtMost), code: 'too_big' })]
  })
}

function faultAt(name: string, objection: Objection): FaultItem {
  return { pointer: `/form${pointerStep(name)}`, ...objection }
}

function invalid(errors: readonly FaultItem[]): Refusal {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  const named = first?.pointer.split('/').at(-1) ?? 'form'
  // A name from the seller: if it is more than a short name, the pointer is enough.
  const name = named.length <= nameAtMost && isPlain(named) ? named : 'form'
  return new Refusal('invalid_input', `${name}: ${first?.message ?? ''}${more}`, {
    errors: errors.slice(0, faultsAtMost),
    hint: '<public.tasks> shows the form under form_schema.',
  })
}
