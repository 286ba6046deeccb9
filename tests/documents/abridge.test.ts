import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { operation } from '#src/core/operation.ts'
import { uncheckedDocument } from '#src/core/schema.ts'
import { inputSchemas, outputSchema } from '#src/documents/schemas/abridge.ts'

const long = z.string().describe('long enough '.repeat(20))
const Part = z.looseObject({ text: long }).meta({ id: 'AbridgedPart' })
const Small = z.looseObject({ a: z.string() }).meta({ id: 'AbridgedSmall' })
const Document = z.looseObject({ name: z.string(), part: Part.nullish(), small: Small })

function taking(
  name: string,
  input: z.ZodObject,
  options: { document?: string; reads?: true; method?: 'PUT' },
) {
  const { method = 'POST', ...others } = options
  const http = { method, path: `/${name}` } as const
  const rest = { summary: 's', example: {}, auth: 'none', toolsets: [], refuses: [] } as const
  const output = z.object({ part: Part, maybe: z.string().nullable(), items: z.array(Part) })
  const run = () => ({ part: { text: '' }, maybe: null, items: [] })
  return operation({ name, http, input, output, ...rest, ...others, run })
}

const create = taking('things.create', z.strictObject({ thing: Document }), { document: 'thing' })
const update = taking(
  'things.update',
  z.strictObject({ id: z.string(), thing: uncheckedDocument(Document.partial()) }),
  { document: 'thing', method: 'PUT' },
)
const check = taking('a.check', z.strictObject({ thing: Document }), {
  document: 'thing',
  reads: true,
})
const other = taking('others.create', z.strictObject({ part: Part, many: z.array(Part), long }), {})

describe('the input schemas of a list', () => {
  const schemas = inputSchemas([check, update, other, create])
  const shown = (op: typeof create) => schemas.get(op)?.['properties']

  test('spell a shared part out in the smallest tool that writes it', () => {
    expect(shown(create)).toMatchObject({
      thing: { properties: { part: { anyOf: [{ properties: { text: {} } }, { type: 'null' }] } } },
    })
  })

  test('name that tool wherever else the part stands', () => {
    expect(shown(other)).toMatchObject({
      part: { type: 'object', description: 'As in things_create.' },
      many: { type: 'array', items: { type: 'object', description: 'As in things_create.' } },
    })
  })

  test('spell small parts out everywhere', () => {
    expect(shown(create)).toMatchObject({ thing: { properties: { small: { properties: {} } } } })
  })

  test.each([update, check])('name the tool that takes the whole document', (op) => {
    expect(shown(op)).toMatchObject({
      thing: { type: 'object', description: 'Members as the thing of things_create.' },
    })
  })
})

test('the output schema of a list names the members of the answer that are of one kind', () => {
  expect(outputSchema(create)).toEqual({
    type: 'object',
    properties: {
      part: { type: 'object' },
      items: { type: 'array', items: { type: 'object' } },
    },
  })
})
