/** A JSON Schema of the document. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  description?: string
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  const?: unknown
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}

/** A type in words; an object in it is the name of a shape, described elsewhere. */
export type TypeText = readonly (string | { shape: string })[]

const patternAtMost = 60

/** The type of a value with its bounds, in words. */
export function typeOf(schema: Schema): TypeText {
  const shape = shapeName(schema)
  if (shape !== undefined) return [{ shape }]
  if (schema.const !== undefined) return [JSON.stringify(schema.const)]
  if (schema.enum) return [schema.enum.map((one) => JSON.stringify(one)).join(' | ')]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return joined(choices.map(typeOf))
  if (schema.allOf?.[0]) return typeOf(schema.allOf[0])
  if (Array.isArray(schema.type)) {
    return joined(schema.type.map((type: string) => typeOf({ ...schema, type })))
  }
  switch (schema.type) {
    case 'array':
      return ['list of ', ...typeOf(schema.items ?? {}), bounds(schema.minItems, schema.maxItems)]
    case 'object':
      return objectType(schema)
    case 'string':
      return [`string${textBounds(schema)}`]
    case 'integer':
    case 'number': {
      const { minimum = schema.exclusiveMinimum, maximum } = schema
      return [`${schema.type}${bounds(minimum, maximum)}`]
    }
    case undefined:
      return ['any JSON']
    default:
      return [String(schema.type)]
  }
}

/** The name of the shape that a schema refers to. */
export function shapeName({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1)
}

function objectType({ additionalProperties: values, properties }: Schema): TypeText {
  const isMap = typeof values === 'object' && Object.keys(values).length > 0
  return isMap && !properties ? ['map of ', ...typeOf(values)] : ['object']
}

function joined(types: readonly TypeText[]): TypeText {
  return types.flatMap((type, index) => (index === 0 ? type : [' or ', ...type]))
}

function textBounds({ minLength, maxLength, format, pattern }: Schema): string {
  const form = format === undefined ? '' : ` (${format})`
  const isTold = pattern !== undefined && format === undefined && pattern.length <= patternAtMost
  return `${form}${bounds(minLength, maxLength)}${isTold ? `, like /${pattern}/` : ''}`
}

function bounds(least: number | undefined, most: number | undefined): string {
  if (least !== undefined && most !== undefined) return `, ${least} to ${most}`
  if (most !== undefined) return `, at most ${most}`
  return least !== undefined && least > 0 ? `, at least ${least}` : ''
}
