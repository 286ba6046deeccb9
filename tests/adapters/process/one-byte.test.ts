import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { inOneByte } from '#adapters/commands/build/one-byte.ts'

it.each([
  ['a string', `'an end… of é'`],
  ['a template', '`${1} — “two”`'],
  ['an expression', `'a…b'.replace(/…/, '-') + /[😀]/u.test('😀') + /[‹-›]/.test('›')`],
  ['a comment', `1 // one…\n + 2`],
  ['a pair', `[...'😀'].length`],
])('%s in one byte means the same', (_, code) => {
  const made = inOneByte(code)
  expect(made).toMatch(/^[\0-\xff]*$/)
  expect(runInNewContext(made)).toEqual(runInNewContext(code))
})

it.each([
  ['escaped already', String.raw`'\…\\…'`],
  ['raw', 'String.raw`\\`…` + String.raw`—`'],
])('leaves what is %s', (_, code) => {
  expect(runInNewContext(inOneByte(code))).toBe(runInNewContext(code))
})
