import { expect, it } from 'vitest'
import { slotsOf } from './hours.ts'

const hour = 3_600_000

it('counts what a schedule fired once, twice and not at all, but for what was told to be missed', () => {
  const none = new Set<number>()
  expect(slotsOf([hour, 2 * hour, 3 * hour], none)).toEqual({
    slots: 3,
    once: 3,
    doubled: 0,
    missing: 0,
  })
  expect(slotsOf([hour, 2 * hour, 2 * hour, 4 * hour], none)).toEqual({
    slots: 3,
    once: 2,
    doubled: 1,
    missing: 1,
  })
  expect(slotsOf([hour, 3 * hour], new Set([2 * hour]))).toMatchObject({ missing: 0 })
  expect(slotsOf([], none)).toMatchObject({ missing: 1 })
})
