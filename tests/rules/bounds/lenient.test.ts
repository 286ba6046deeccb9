import { expect, test } from 'vitest'
import * as z from 'zod'
import { Manifest } from '#src/apps/manifest.ts'
import { meantSteps } from '#src/core/input/lenient.ts'
import { understoodHeader } from '#src/core/input/understood.ts'
import { atOnce } from '#src/core/turns/portions.ts'

const days = Array.from({ length: 40 }, (_, i) => String(i % 7))
const tasks = Array.from({ length: 200 }, (_, i) => ({
  name: `T${i}`,
  reliability: { active_window: { days } },
}))
/** 40,000 texts in place of numbers. */
const large = {
  app_id: 'large',
  name: 'Large',
  agents: Array.from({ length: 5 }, (_, i) => ({ local_id: `a${i}`, name: 'A', heart: { tasks } })),
}

test('40,000 texts are read in steps, and a hundred of them told', () => {
  const steps = meantSteps(Manifest, large)
  let count = 0
  for (;;) {
    const { done, value: meant } = steps.next()
    if (!done) {
      count += 1
      continue
    }
    expect(count).toBeGreaterThan(40_000 / 256)
    expect(meant?.understood).toHaveLength(101)
    expect(meant?.understood[0]).toEqual({
      pointer: '/agents/0/heart/tasks/0/reliability/active_window/days/0',
      as: 'number',
    })
    expect(meant?.understood.at(-1)).toEqual({ pointer: '', as: 'more', count: 39_900 })
    expect(understoodHeader(meant?.understood)['Understood']).toMatch(/, "";as=more;count=39980$/)
    expect(Manifest.safeParse(meant?.value).success).toBe(true)
    break
  }
  // What was sent stays as it is.
  expect(days[0]).toBe('0')
})

const schema = z.looseObject({
  version: z.literal(1),
  word: z.string().nullable().default(null),
  either: z.union([z.string(), z.int()]).optional(),
  counts: z.record(z.string(), z.int()).optional(),
  free: z.looseObject({}).optional(),
  parts: z.array(z.looseObject({ enabled: z.boolean().default(true) })).default([]),
})
const prepared = z.preprocess((sent) => sent, z.array(z.string()))

test('JSON is understood where what is sent is prepared first', () => {
  const meant = atOnce(meantSteps(z.strictObject({ prepared }), { prepared: '["a"]' }))
  expect(meant?.value).toEqual({ prepared: ['a'] })
})

const meantBy = (value: unknown) => atOnce(meantSteps(schema, value))

test.for([
  ['a number of few', { version: '1' }, { version: 1 }],
  ['the values of a map', { counts: { a: '1', b: 2 } }, { counts: { a: 1, b: 2 } }],
  [
    'JSON with texts to be understood',
    { parts: '[{"enabled": "false"}]' },
    { parts: [{ enabled: false }] },
  ],
  ['an object of the caller', { free: '{"n": "1"}' }, { free: { n: '1' } }],
] as const)('%s is understood', ([, sent, value]) => {
  expect(meantBy(sent)?.value).toEqual(value)
})

test.for([
  ['a number that is none of few', { version: '2' }],
  ['a text where texts are wanted', { word: '1' }],
  ['what may be a text or a number', { either: '1' }],
  ['what is in an object of the caller', { free: { n: '1' } }],
  ['members that no schema names', { other: '1', parts: [{ other: 'true' }] }],
  ['a member of the prototype', { parts: [{}], toString: 'true' }],
  ['a map in place of a list', { parts: '{"enabled": "true"}' }],
  ['a list in place of an object', { free: '[]' }],
] as const)('%s stays as it is', ([, sent]) => {
  expect(meantBy(sent)).toBeUndefined()
})
