import { expect, it } from 'vitest'
import {
  revisionSecretSteps,
  sealedSecrets,
  sealedSecretSteps,
} from '#src/agents/app/sealed-secrets.ts'
import { sealer } from '#src/core/seal.ts'
import type { Steps } from '#src/core/turns/portions.ts'

const own = sealer(Buffer.alloc(32, 7))

const secrets = Object.fromEntries(
  Array.from({ length: 20_000 }, (_, i) => [
    `/agents/${i % 50}/heart/tasks/${i % 20}/tools/0/config/headers/X-H${i}`,
    `secret ${i} ä`,
  ]),
)

/** How many steps there are, and what they make. */
function counted<T>(steps: Steps<T>): { count: number; value: T } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next()
    if (done) return { count, value }
  }
}

it('the secrets of a manifest are sealed and opened in steps', () => {
  const sealed = counted(sealedSecretSteps('r', secrets, own))
  const opened = counted(revisionSecretSteps({ id: 'r', secrets: sealed.value }, own))
  expect(sealed.count).toBeGreaterThan(5)
  expect(opened.count).toBeGreaterThan(5)
  expect(opened.value).toEqual(secrets)
})

it('a text of megabytes is sealed in a step for each of them, and is what it was', () => {
  const text = 'ä'.repeat(2.5 * 2 ** 20)
  const binding = { id: 'a', purpose: 'b' }
  const { count, value } = counted(own.sealSteps(text, binding))
  expect(count).toBe(5)
  expect(own.open(value, binding)).toBe(text)
  expect(own.open(own.seal('', binding), binding)).toBe('')
})

it('no secrets are sealed as none', () => {
  expect(sealedSecrets('r', {}, own)).toBeNull()
})

it('a stored manifest without secrets has none', () => {
  expect(revisionSecretSteps({ id: 'r', secrets: null }, own).next()).toEqual({
    done: true,
    value: {},
  })
})
