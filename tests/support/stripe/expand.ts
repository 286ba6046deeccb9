import { invalid } from './refusal.ts'

const deepest = 4

/**
 * An answer with whole objects in place of the ids that `expand` names. A path into a list begins
 * with `data`; Stripe takes four steps at most.
 */
export function expanded(
  answer: object,
  paths: readonly string[],
  find: (id: string) => object | undefined,
): object {
  const copy: object = structuredClone(answer)
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.length > deepest) {
      throw invalid(`You cannot expand more than ${deepest} levels of a property (${path}).`)
    }
    walk(copy, steps, path, find)
  }
  return copy
}

function walk(
  at: object,
  [step = '', ...rest]: string[],
  path: string,
  find: (id: string) => object | undefined,
): void {
  if (!(step in at)) throw invalid(`This property cannot be expanded (${path}).`)
  // The member exists; its other members do not matter.
  const holder = at as Record<string, unknown>
  let held = holder[step]
  if (typeof held === 'string') {
    held = structuredClone(find(held)) ?? held
    holder[step] = held
  }
  if (rest.length === 0) return
  for (const inner of Array.isArray(held) ? held : [held]) {
    if (typeof inner === 'object' && inner !== null) walk(inner, rest, path, find)
  }
}
