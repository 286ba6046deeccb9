import type { Steps } from '../turns/portions.ts'
import { heavyNodes } from './bounds.ts'

/** A copy of plain JSON, in steps. Texts are not copied. */
export function* copySteps(value: unknown): Steps<unknown> {
  if (typeof value !== 'object' || value === null) return value
  const copy = emptyLike(value)
  const open: [from: object, to: Record<string, unknown>][] = [[value, copy]]
  let left = heavyNodes
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [from, to] = pair
    for (const [name, inner] of Object.entries(from) as [string, unknown][]) {
      if (typeof inner === 'object' && inner !== null) {
        const own = emptyLike(inner)
        to[name] = own
        open.push([inner, own])
      } else to[name] = inner
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
