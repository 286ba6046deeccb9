import type { CollectionDefinition } from '#src/ports/documents.ts'
import type { Members, Parts } from './rows.ts'
import { checkedChange, type Operator } from '../checked.ts'

interface Step {
  operator: Operator
  path: string
  names: string[]
  value: unknown
}

/** A change that can be applied to any row; it shares nothing with the caller's object. */
export interface PreparedChange {
  steps: Step[]
  touchesShown: boolean
  touchesHidden: boolean
}

/** @throws TypeError for what is not a change */
export function prepared(definition: CollectionDefinition, change: object): PreparedChange {
  return stepsOf(definition, change, copyOf)
}

/** The same for a change that nothing else holds. @throws TypeError for what is not a change */
export function stepsOf(
  definition: CollectionDefinition,
  change: object,
  own: (value: unknown) => unknown = (value) => value,
): PreparedChange {
  const steps = checkedChange(change).map(([operator, path, value]): Step => {
    return { operator, path, names: path.split('.'), value: own(value) }
  })
  const hides = (step: Step): boolean => definition.hidden.includes(step.names[0] ?? '')
  return { steps, touchesShown: !steps.every(hides), touchesHidden: steps.some(hides) }
}

function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.parse(JSON.stringify(value)) : value
}

/**
 * Changes the parts of a row in place.
 * @throws TypeError when a step does not fit the stored values, or would change the id
 */
export function applyChange(
  definition: CollectionDefinition,
  id: string,
  parts: Parts,
  change: PreparedChange,
): void {
  for (const step of change.steps) {
    const [head = '', ...rest] = step.names
    if (head === 'id') {
      if (step.operator !== '$set' || step.value !== id) throw new TypeError('an id never changes')
      continue
    }
    applyStep(definition.hidden.includes(head) ? parts.hidden : parts.shown, head, rest, step)
  }
}

function applyStep(root: Members, head: string, rest: string[], step: Step): void {
  let at = root
  let name = head
  for (const next of rest) {
    const inner = Object.hasOwn(at, name) ? at[name] : undefined
    if (inner === undefined && step.operator === '$unset') return
    if (inner === undefined) at = at[name] = {}
    else if (holdsMembers(inner, next)) at = inner
    else if (step.operator === '$unset') return
    else throw new TypeError(`${step.path} leads through a value without members`)
    name = next
  }
  const old = Object.hasOwn(at, name) ? at[name] : undefined
  if (step.operator === '$unset') delete at[name]
  else at[name] = changed(old, step)
}

/** An object, or a list addressed by a position. */
function holdsMembers(value: unknown, next: string): value is Members {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) || /^\d+$/.test(next)
}

function changed(old: unknown, { operator, path, value }: Step): unknown {
  if (operator === '$set') return value
  if (operator === '$inc') {
    if (old !== undefined && typeof old !== 'number') throw new TypeError(`${path} is no number`)
    return (old ?? 0) + Number(value)
  }
  if (old !== undefined && !Array.isArray(old)) throw new TypeError(`${path} is no list`)
  return [...(old ?? []), value]
}
