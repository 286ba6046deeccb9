import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { uncheckedDocument } from '#src/core/schema.ts'
import { toolSchema } from '#src/documents/schemas/plain.ts'

const Named = z.looseObject({ a: z.string().nullable().default(null) }).meta({ id: 'NamedThing' })

function everyKeyword(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) everyKeyword(item, found)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) everyKeyword(inner, found.add(key))
  }
  return found
}

describe('a tool schema', () => {
  test('has no references, wherever a shared schema stands', () => {
    const schema = z.strictObject({ one: Named, many: z.array(Named), maybe: Named.nullish() })
    const shown = toolSchema(schema, 'input')
    expect(JSON.stringify(shown)).not.toMatch(/\$ref|\$defs|\$schema|NamedThing/)
    expect(shown['properties']).toMatchObject({
      one: { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
      many: { type: 'array', items: { type: 'object' } },
    })
  })

  test('has an object at its root even when the root itself is shared', () => {
    expect(toolSchema(z.object({}).meta({ id: 'Root' }), 'input')).toEqual({
      type: 'object',
      properties: {},
    })
  })

  test('keeps the description of a member in addition to that of its shared schema', () => {
    const schema = z.object({ one: Named.describe('the first') })
    expect(toolSchema(schema, 'input')['properties']).toMatchObject({
      one: { description: 'the first', type: 'object' },
    })
  })

  test('ends a schema that leads back into itself', () => {
    const shown = toolSchema(z.object({ any: z.json() }), 'input')
    expect(everyKeyword(shown)).not.toContain('$ref')
    expect(everyKeyword(shown)).toContain('anyOf')
  })

  test('turns a list of types into alternatives that keep their bounds', () => {
    const schema = z.object({ n: z.union([z.string(), z.number()]).nullish().describe('either') })
    expect(toolSchema(schema, 'input')['properties']).toEqual({
      n: {
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }],
        description: 'either',
      },
    })
  })

  test('drops what only zod needs and keeps what a sender must know', () => {
    const schema = z.strictObject({
      map: z.record(z.string(), z.string()).default({}),
      int: z.int(),
      at: z.iso.datetime(),
      some: z.int().min(1).max(9).default(4),
      none: z.array(z.string()).default([]),
    })
    expect(toolSchema(schema, 'input')).toEqual({
      type: 'object',
      properties: {
        map: { type: 'object', additionalProperties: { type: 'string' } },
        int: { type: 'integer' },
        at: { type: 'string', format: 'date-time' },
        some: { type: 'integer', minimum: 1, maximum: 9, default: 4 },
        none: { type: 'array', items: { type: 'string' } },
      },
      required: ['int', 'at'],
      additionalProperties: false,
    })
  })

  test('does not take a member for a keyword', () => {
    const schema = z.strictObject({ properties: z.string(), type: z.string(), pattern: z.int() })
    expect(toolSchema(schema, 'output')['properties']).toEqual({
      properties: { type: 'string' },
      type: { type: 'string' },
      pattern: { type: 'integer' },
    })
  })
})

describe('the schema of an answer', () => {
  test('is loose at every level, so that a new member breaks no client', () => {
    const schema = z.strictObject({ in: z.strictObject({ x: z.string().max(3).default('a') }) })
    expect(toolSchema(schema, 'output')).toEqual({
      type: 'object',
      properties: {
        in: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
      },
      required: ['in'],
    })
  })
})

describe('a member that the operation checks itself', () => {
  const shape = z.strictObject({ local_id: z.string(), inner: Named })

  test('is shown as it is documented', () => {
    const schema = z.strictObject({ manifest: uncheckedDocument(shape), dry_run: z.boolean() })
    expect(toolSchema(schema, 'input')['properties']).toMatchObject({
      manifest: {
        required: ['local_id', 'inner'],
        properties: { inner: { type: 'object' }, local_id: { type: 'string' } },
      },
    })
  })

  test('is shown so also when a description was added to it', () => {
    const schema = z.strictObject({ manifest: uncheckedDocument(shape).describe('all of it') })
    expect(toolSchema(schema, 'input')['properties']).toMatchObject({
      manifest: { description: 'all of it', required: ['local_id', 'inner'] },
    })
  })
})
