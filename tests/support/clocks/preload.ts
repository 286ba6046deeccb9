import { readFileSync } from 'node:fs'

/*
 * Loaded into a server before anything else (`node --import`): its wall clock is as far ahead as the file
 * in MOVED_CLOCK says, in milliseconds, at any time. What counts on by itself is left alone.
 */

const file = process.env.MOVED_CLOCK ?? ''
const Real = Date
const realNow = Real.now.bind(Real)
const lookMs = 20
let moved = 0
let lookedAt = Number.NEGATIVE_INFINITY

function now(): number {
  const at = performance.now()
  if (at - lookedAt > lookMs) {
    lookedAt = at
    moved = Number(readFileSync(file, 'utf8')) || 0
  }
  return realNow() + moved
}

class MovedDate extends Real {
  constructor(...given: unknown[]) {
    // Stands for any overload of `Date`.
    super(...((given.length === 0 ? [now()] : given) as [number]))
  }

  static override now(): number {
    return now()
  }
}

globalThis.Date = MovedDate as DateConstructor
