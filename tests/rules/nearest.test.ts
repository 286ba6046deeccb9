import { expect, test } from 'vitest'
import { nearest } from '#src/core/nearest.ts'

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
