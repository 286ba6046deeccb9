import type { Steps } from '../turns/portions.ts'
import { heavyNodes } from './bounds.ts'
import { setMember } from './json-steps.ts'

/** A copy of plain JSON, in steps. Texts are not copied. */
export function* copySteps(value: unknown): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return value
  const copy = emptyLike(value)
  const open: [from: object, to: Record<string, unknown>][] = [[value, copy]]
  let left = heavyNodes
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [from, to] = pair
    // The entries of a long list would take as long as the copy.
    for (const name of Array.isArray(from) ? from.keys() : Object.keys(from)) {
      const inner: unknown = Reflect.get(from, name)
      if (typeof inner === 'object' && inner !== null) {
        const own = emptyLike(inner)
        setMember(to, name, own)
        open.push([inner, own])
      } else setMember(to, name, inner)
      if (--left > 0) continue
      left = heavyNodes
      yield
    }
  }
  return copy
}

function emptyLike(value: object): Record<string, unknown> {
  // Items of a list are set by their positions.
  return (Array.isArray(value) ? [] : {}) as Record<string, unknown>
}
