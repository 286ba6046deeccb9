import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { nearest, newEffort } from '#src/core/input/nearest.ts'

const known = ['prompt', 'template', 'api', 'workflow', 'router', 'human_approval']

test.for([
  ['promt', 'prompt', 'a missing letter'],
  ['prompts', 'prompt', 'an added letter'],
  ['prampt', 'prompt', 'a wrong letter'],
  ['pormpt', 'prompt', 'two swapped letters'],
  ['PROMPT', 'prompt', 'letter case'],
  ['human-approval', 'human_approval', 'another way of joining words'],
  ['workfow', 'workflow', 'the nearest of several'],
] as const)('"%s" is taken for "%s": %s', ([word, meant]) => {
  expect(nearest(word, known)).toBe(meant)
})

test.for([
  ['banana', 'nothing near'],
  ['', 'no word'],
  ['prompt', 'the word itself'],
  ['xy', 'a short word that shares nothing'],
  ['p'.repeat(100_000), 'a text longer than any name'],
] as const)('"%s" is taken for nothing: %s', ([word]) => {
  expect(nearest(word, known)).toBeUndefined()
})

test('the smallest distance wins over the order, and the order among equals', () => {
  expect(nearest('cat', ['cut', 'cats', 'bat'])).toBe('cut')
  expect(nearest('editr', ['editors', 'editor'])).toBe('editor')
})

test('compares no more letters than it may, however many words it is asked for', () => {
  const names = Array.from({ length: 60_000 }, (_, i) => `${'member'.repeat(9)}${i}`)
  const effort = newEffort()
  const whole = effort.left
  const found = names.map((name) => nearest(`x${name}`.slice(0, 64), names, effort))
  // One pair is finished that was begun.
  expect(effort.left).toBeGreaterThan(-64)
  expect(found[0]).toBe(names[0])
  expect(found.at(-1)).toBeUndefined()
  expect(nearest('promt', known, { left: whole })).toBe('prompt')
})

test('looks only as far from the diagonal as letters may be wrong', () => {
  const effort = newEffort()
  const before = effort.left
  expect(nearest('abcdefghij'.repeat(6), ['jihgfedcba'.repeat(6)], effort)).toBeUndefined()
  expect(before - effort.left).toBeLessThan(60 * 41)
})

/** Optimal string alignment, the long way. */
function alignment(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? at(i - 2, j - 2) + 1 : Infinity
      rows[i]?.push(Math.min(change, at(i - 1, j) + 1, at(i, j - 1) + 1, swap))
    }
  }
  return at(a.length, b.length)
}

test('finds what comparing every letter with every other finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(word, fc.uniqueArray(word, { maxLength: 6 }), (sought, words) => {
      const near = words
        .filter((one) => one !== sought)
        .map((one) => ({ one, distance: alignment(sought, one) }))
        .filter(({ one, distance }) => {
          return distance <= Math.max(1, Math.floor(Math.max(one.length, sought.length) / 3))
        })
        .sort((a, b) => a.distance - b.distance)
      expect(nearest(sought, words)).toBe(near[0]?.one)
    }),
    { numRuns: 500 },
  )
})
