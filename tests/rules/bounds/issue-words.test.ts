import * as z from 'zod'
import { describe, expect, it } from 'vitest'
import { issueWords } from '#src/core/words/issue.ts'

const said = (schema: z.ZodType, value: unknown): string =>
  schema.safeParse(value, { error: issueWords }).error?.issues[0]?.message ?? ''

describe('what a schema says of a value', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['must be a text, and is missing', z.string(), undefined],
    ['must be a text, and is a number', z.string(), 5],
    ['must be an object, and is a text', z.object({}), 'x'],
    ['must be an object, and is a list', z.record(z.string(), z.string()), ['x']],
    ['must be a list, and is null', z.array(z.string()), null],
    ['must be true or false, and is a text', z.boolean(), 'yes'],
    ['must be a text, and is true', z.string(), true],
    ['must be a whole number', z.int(), 1.5],
    ['must be a number, and is a text', z.int(), 'x'],
    ['must be one of "a", "b"', z.enum(['a', 'b']), 'c'],
    ['must be one of "a", "b", and is missing', z.enum(['a', 'b']), undefined],
    ['must be 1', z.literal(1), 2],
    ['must not be empty', z.string().min(1), ''],
    ['must have at least 2 characters', z.string().min(2), ''],
    ['must have at most 1 character', z.string().max(1), 'ab'],
    ['must have at most 2 items', z.array(z.string()).max(2), ['', '', '']],
    ['must be at most 2', z.number().max(2), 3],
    ['must be above 0', z.number().positive(), 0],
    ['must be at least 1', z.int().min(1), 0],
    ['must be a multiple of 2', z.number().multipleOf(2), 3],
    ['must be a time as 2026-01-31T09:00:00Z', z.iso.datetime(), 'x'],
    ['must match /^a$/', z.string().regex(/^a$/), 'b'],
    ['must be a text or a number, and is true', z.union([z.string(), z.int()]), true],
    [
      'is in none of the forms that it may have',
      z.union([z.object({ a: z.string() }), z.int()]),
      {},
    ],
    [
      'must be "text"',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('text') })]),
      { kind: 'x' },
    ],
    ['There is no such member.', z.strictObject({}), { a: 1 }],
    ['is in none of the forms that it may have', z.string().refine(() => false), 'x'],
    ['must be mine', z.string().refine(() => false, 'must be mine'), 'x'],
  ])('%s', (words, schema, value) => {
    expect(said(schema, value)).toBe(words)
  })
})
