import { expect, it } from 'vitest'
import { revisionSecretSteps, sealedSecrets } from '#src/agents/app/sealed-secrets.ts'
import { sealer } from '#src/core/seal.ts'

const own = sealer(Buffer.alloc(32, 7))

it('the secrets of a stored manifest are opened in steps', () => {
  const secrets = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, i) => [
      `/agents/${i % 50}/heart/tasks/${i % 20}/tools/0/config/headers/X-H${i}`,
      `secret ${i}`,
    ]),
  )
  const steps = revisionSecretSteps({ id: 'r', secrets: sealedSecrets('r', secrets, own) }, own)
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next()
    if (!done) continue
    expect(count).toBeGreaterThan(5)
    expect(value).toEqual(secrets)
    return
  }
})

it('a stored manifest without secrets has none', () => {
  expect(revisionSecretSteps({ id: 'r', secrets: null }, own).next()).toEqual({
    done: true,
    value: {},
  })
})
