import type { Steps } from '#src/core/turns/portions.ts'
import type { OpenapiDocument } from './openapi-document.ts'

const unnamed = /^__schema\d+$/
const name = 'Json'

/**
 * Gives arbitrary JSON one name in the document. The library spells it out again each time as a schema
 * that refers to itself, which says no more, and which many generators of clients cannot follow.
 */
export function* withOneJson(document: OpenapiDocument): Steps<void> {
  const schemas = document.components?.schemas
  const spelled = Object.keys(schemas ?? {}).filter((one) => unnamed.test(one))
  if (!schemas || spelled.length === 0) return
  for (const one of spelled) {
    if (!isAnyJson(schemas[one], one)) throw new Error(`${one} is a shape without a name`)
    delete schemas[one]
  }
  schemas[name] = { description: 'Any JSON.' }
  for (const parts of [document.paths, ...Object.values(document.components ?? {})]) {
    for (const part of Object.values<unknown>(parts ?? {})) {
      rename(part)
      yield
    }
  }
}

function isAnyJson(schema: unknown, own: string): boolean {
  const itself = { $ref: refTo(own) }
  const forms = [
    ...['string', 'number', 'boolean', 'null'].map((type) => ({ type })),
    { type: 'array', items: itself },
    { type: 'object', propertyNames: { type: 'string' }, additionalProperties: itself },
  ]
  return JSON.stringify(schema) === JSON.stringify({ anyOf: forms })
}

function refTo(schema: string): string {
  return `#/components/schemas/${schema}`
}

function rename(node: unknown): void {
  if (typeof node !== 'object' || node === null) return
  for (const [member, value] of Object.entries(node)) {
    if (member !== '$ref' || typeof value !== 'string') rename(value)
    else if (unnamed.test(value.split('/').at(-1) ?? '')) Object.assign(node, { $ref: refTo(name) })
  }
}
