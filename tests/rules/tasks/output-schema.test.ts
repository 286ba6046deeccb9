import { describe, expect, it } from 'vitest'
import { schemaFault } from '#src/agents/tasks/output/schema.ts'
import { TaskInput } from '#src/agents/tasks/task.ts'

const nested = (depth: number): Record<string, unknown> =>
  depth === 0 ? {} : { properties: { a: nested(depth - 1) } }

describe('the schema of an output', () => {
  it.each<[object]>([
    [{}],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'T', type: 'object' }],
    [
      {
        type: ['object', 'null'],
        required: ['a'],
        properties: { a: true, b: { enum: [1, null] } },
      },
    ],
    [
      {
        $defs: { a: { type: 'string' } },
        items: { $ref: '#/$defs/a' },
        contains: { $ref: '#/$defs/a' },
      },
    ],
    [JSON.parse('{"if":{"const":null},"then":false,"else":{"anyOf":[{"minimum":1.5}]}}') as object],
    [{ 'x-note': { pattern: '(a+)+$' }, examples: [{ $ref: 'https://x.example/' }] }],
    [{ $defs: { 'a/b~': { type: 'string' } }, $ref: '#/$defs/a~1b~0' }],
    [nested(16)],
  ])('may be %j', (schema) => {
    expect(schemaFault({ ...schema })).toBeUndefined()
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['a type that there is not', { type: 'text' }, 'type'],
    ['no list of required members', { required: 'a' }, 'required'],
    ['members that are no schemas', { properties: { a: 'string' } }, 'properties.a'],
    ['an empty choice', { anyOf: [] }, 'anyOf'],
    ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, '$schema'],
    ['an expression', { properties: { a: { pattern: '(a+)+$' } } }, 'properties.a.pattern'],
    ['expressions for names', { patternProperties: { '^a': true } }, 'patternProperties'],
    ['a reference to elsewhere', { items: { $ref: 'https://x.example/s' } }, 'items.$ref'],
    ['a reference to nothing', { $ref: '#/$defs/a' }, '$ref'],
    [
      'a reference to a member that every object has',
      { $defs: {}, $ref: '#/$defs/toString' },
      '$ref',
    ],
    ['a reference to itself', { properties: { a: { $ref: '#' } } }, 'properties.a.$ref'],
    [
      'references in a circle',
      { $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } } },
      '$defs.a.items.$ref',
    ],
    ['too many levels', nested(17), nested17()],
    ['too many bytes', { description: 'x'.repeat(1_000_000) }, ''],
  ])('is refused with %s', (_, schema, path) => {
    expect(schemaFault(schema)?.path.join('.')).toBe(path)
    const sent = { name: 'T', output_schema: schema }
    expect(TaskInput.safeParse(sent).error?.issues[0]?.path.slice(0, 1)).toEqual(['output_schema'])
  })

  it('is refused where its references stand for too many parts', () => {
    const all = Array.from({ length: 20 }, (_, i) => [
      `d${i}`,
      i === 0 ? { type: 'string' } : { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${i - 1}` })) },
    ])
    const schema = { $defs: Object.fromEntries(all) as object, $ref: '#/$defs/d19' }
    expect(schemaFault(schema)?.message).toContain('at most 2000 parts')
  })
})

function nested17(): string {
  return Array.from({ length: 17 }, () => 'properties.a').join('.')
}
