import { typeOf, type Schema, type TypeText } from './types.ts'

/** A member of an input or an answer. */
export interface Row {
  /** With the names around it: `error.code`. */
  name: string
  /** Its place: path, query, header, body, answer. */
  place: string
  type: TypeText
  isRequired: boolean
  /** As JSON; absent if there is none. */
  standard: string | undefined
  description: string | undefined
}

const deepest = 3

/** The members of an object, with those of unnamed objects inside it. */
export function rowsOf(schema: Schema, place: string): Row[] {
  const inner = membersOf(schema)
  if (inner) return inner.flatMap(([name, one]) => rowsAt(one, { name, place, schema, depth: 1 }))
  return [rowOf(schema, { name: '', place, isRequired: true })]
}

interface At {
  name: string
  place: string
  /** Of the object that contains the member. */
  schema: Schema
  depth: number
}

function rowsAt(one: Schema, { name, place, schema, depth }: At): Row[] {
  const last = name.split('.').at(-1) ?? name
  const isRequired = schema.required?.includes(last.replace('[]', '')) ?? false
  const own = rowOf(one, { name, place, isRequired })
  const inside = depth < deepest ? nestedIn(one) : undefined
  if (!inside) return [own]
  const { inner, mark } = inside
  const members = membersOf(inner) ?? []
  return [
    own,
    ...members.flatMap(([member, deeper]) =>
      rowsAt(deeper, { name: `${name}${mark}.${member}`, place, schema: inner, depth: depth + 1 }),
    ),
  ]
}

/** The object whose members are listed with this one: itself, or the items of the list that it is. */
function nestedIn(schema: Schema): { inner: Schema; mark: string } | undefined {
  if (membersOf(schema)) return { inner: schema, mark: '' }
  const { items } = schema
  if (items && membersOf(items)) return { inner: items, mark: '[]' }
  const object = schema.anyOf?.find((one) => membersOf(one))
  return object && { inner: object, mark: '' }
}

function membersOf({ properties }: Schema): [string, Schema][] | undefined {
  const members = Object.entries(properties ?? {})
  return members.length > 0 ? members : undefined
}

function rowOf(
  schema: Schema,
  { name, place, isRequired }: Omit<Row, 'type' | 'standard' | 'description'>,
): Row {
  const { default: standard, description } = schema
  return {
    name,
    place,
    type: typeOf(schema),
    isRequired,
    standard: standard === undefined ? undefined : JSON.stringify(standard),
    description,
  }
}
