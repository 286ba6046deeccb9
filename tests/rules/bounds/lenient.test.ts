import { expect, test } from 'vitest'
import * as z from 'zod'
import { Manifest } from '#src/apps/manifest.ts'
import { meantSteps } from '#src/core/input/lenient.ts'
import { jsonTextAtMost } from '#src/core/input/bounds.ts'
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

const listed = z.strictObject({ parts: z.array(z.looseObject({})), more: z.string().optional() })
/** A list in a text of so many characters, of objects that have no two members alike. */
function listOf(characters: number): string {
  const items: string[] = []
  for (let length = 2; length < characters - 20; length += (items.at(-1)?.length ?? 0) + 1) {
    items.push(`{"k${items.length}":1}`)
  }
  return `[${items.join(',')}]`.padEnd(characters)
}

test('a long list in a text is read in steps of its own', () => {
  const steps = meantSteps(listed, { parts: listOf(jsonTextAtMost) })
  const count = [...steps].length
  const few = [...meantSteps(listed, { parts: listOf(1000) })].length
  expect(count).toBeGreaterThanOrEqual(few + 3)
  expect(Buffer.byteLength(listOf(jsonTextAtMost))).toBe(jsonTextAtMost)
})

test('many short ones are not read in one step', () => {
  const many = z.strictObject({ lists: z.array(z.array(z.looseObject({}))) })
  const lists = Array.from({ length: 100 }, () => listOf(4000))
  expect([...meantSteps(many, { lists })].length).toBeGreaterThan(60)
})

const tooLongOf = (pointer: string) =>
  expect.objectContaining({
    code: 'invalid_input',
    errors: [expect.objectContaining({ pointer, code: 'too_long' })],
    hint: expect.stringContaining('Send the list or the object itself'),
  })

test('a longer one is refused unread, and what to send is said', () => {
  const long = listOf(jsonTextAtMost + 1)
  expect(() => atOnce(meantSteps(listed, { parts: long }))).toThrow(tooLongOf('/parts'))
  // These are no lists at all, or stand where none is wanted.
  expect(atOnce(meantSteps(listed, { parts: 'x'.repeat(jsonTextAtMost + 1) }))).toBeUndefined()
  expect(atOnce(meantSteps(listed, { parts: [], more: long }))).toBeUndefined()
})

test('of all texts together a megabyte is read, and of one without a credential one text', () => {
  const lists = z.strictObject({ lists: z.array(z.array(z.looseObject({}))) })
  const sent = (count: number) => ({ lists: Array<string>(count).fill('[{}]'.padEnd(65_536)) })
  const read = (count: number, isAnyones: boolean) => () =>
    atOnce(meantSteps(lists, sent(count), { isAnyones }))
  expect(read(16, false)()?.understood).toHaveLength(16)
  expect(read(17, false)).toThrow(tooLongOf('/lists/16'))
  expect(read(1, true)()?.understood).toHaveLength(1)
  expect(read(2, true)).toThrow(tooLongOf('/lists/1'))
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
