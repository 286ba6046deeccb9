import { hash, randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { digestSteps } from '#src/core/turns/digest.ts'

/** The digest, and after how many rests it was known. */
function digested(bytes: Uint8Array): [digest: string, rests: number] {
  const steps = digestSteps(bytes)
  for (let rests = 0; ; rests++) {
    const { done, value } = steps.next()
    if (done) return [value, rests]
  }
}

it.each([
  ['nothing', 0, 0],
  ['a page', 6_000, 0],
  ['one step', 2 ** 20, 0],
  ['a little more', 2 ** 20 + 1, 1],
  ['a large file', 10 * 2 ** 20, 9],
])('the digest of %s is made in steps', (_, length, rests) => {
  const bytes = randomBytes(length)
  expect(digested(bytes)).toEqual([hash('sha256', bytes, 'hex'), rests])
})
