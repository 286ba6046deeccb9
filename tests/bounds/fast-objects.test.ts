import { setFlagsFromString } from 'node:v8'
import { expect, test } from 'vitest'
import { CharacterInput } from '#src/agents/character.ts'
import { characterFrom } from '#src/agents/stored-character.ts'
import { shownCharacter } from '#src/agents/view.ts'
import { agent } from '#tests/bench/documents.ts'

/** Whether V8 keeps the members of an object in its shape; otherwise each copy of it looks every name up. */
function isFast(value: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  // oxlint-disable-next-line no-new-func, no-implied-eval -- the syntax is known only once the flag is set
  return new Function('value', 'return %HasFastProperties(value)')(value) === true
}

test('an agent is stored and shown in the form that is copied quickly', () => {
  const input = CharacterInput.parse({ ...agent('ada'), settings_secrets: 'sent', warnings: [] })
  const place = { id: 'ada', ownerId: 'acc_1', appId: null, localId: null, revision: 1, now: 'now' }
  const stored = characterFrom(input, place)
  expect(isFast(stored)).toBe(true)
  expect(isFast(shownCharacter(stored, []))).toBe(true)

  const sparse: Record<string, unknown> = { a: 1 }
  Reflect.deleteProperty(Object.assign(sparse, { b: 1 }), 'a')
  expect(isFast(sparse)).toBe(false)
})
