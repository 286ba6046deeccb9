import { expect, test } from 'vitest'
import { CharacterInput } from '#src/agents/character.ts'
import { shapeOf } from '#src/core/input/unknown-members.ts'

test('the shape of a schema is made once, and not again for every document', () => {
  const shape = shapeOf(CharacterInput)
  expect(shape?.members.has('heart')).toBe(true)
  expect(shapeOf(CharacterInput)).toBe(shape)
})
