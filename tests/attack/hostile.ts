import * as z from 'zod'
import type { Operation } from '#src/core/operation.ts'

/** An input that is as large as its body may be, and what about it is meant to hurt. */
export interface Hostile {
  operation: string
  /** The pointer of the member, and what stands there. */
  what: string
  input: unknown
}

/** Characters of what stands in one place: with what is around it just below 1 MB. */
const size = 1_000_000
const deepest = 4

const texts: Readonly<Record<string, () => string>> = {
  'one letter': () => 'a'.repeat(size),
  words: () => 'word '.repeat(size / 5),
  blanks: () => ' '.repeat(size),
  lines: () => '\n'.repeat(size),
  braces: () => '{{a'.repeat(size / 3),
  placeholders: () => '{{input}}'.repeat(size / 9),
  tags: () => '<a '.repeat(size / 3),
  'marks of Markdown': () => '[*_`'.repeat(size / 4),
  'a long address': () => `https://${'a.'.repeat(size / 2)}`,
  'dots and slashes': () => './'.repeat(size / 2),
}

/** Inputs that fit the size of a body and hurt in as many ways as the schema of the operation has places. */
export function* hostileInputs(op: Operation): Generator<Hostile> {
  const base: Record<string, unknown> = op.example
  const known = Object.keys(op.input.shape)
  yield made(op, 'unknown members', { ...base, ...unknownMembers(known) })
  for (const [name, schema] of Object.entries(op.input.shape)) {
    if (op.files?.member === name) continue
    for (const { at, value, what } of placesIn(schema as z.ZodType, 0)) {
      yield made(op, `/${name}${at} ${what}`, { ...base, [name]: value(base[name]) })
    }
  }
}

function made(op: Operation, what: string, input: unknown): Hostile {
  return { operation: op.name, what, input }
}

interface Place {
  at: string
  what: string
  /** The whole with the hostile part in it, made of what stands in the example. */
  value: (base: unknown) => unknown
}

function* placesIn(schema: z.core.$ZodType, depth: number): Generator<Place> {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodObject) {
    yield* ofObject(inner, depth)
  } else if (inner instanceof z.ZodArray) {
    yield* ofList(inner, depth)
  } else if (inner instanceof z.ZodRecord) {
    yield place('', 'entries that fit', () => entries(() => 'a'))
    yield place('', 'entries that do not fit', () => entries(() => [1]))
  } else if (inner instanceof z.ZodString || inner instanceof z.ZodUnknown) {
    for (const [what, text] of Object.entries(texts)) yield place('', what, text)
    if (inner instanceof z.ZodUnknown) {
      yield place('', 'numbers', () => Array.from({ length: 190_000 }, () => 1))
      yield place('', 'members', () => entries(() => 1))
    }
  }
}

function* ofObject(schema: z.ZodObject, depth: number): Generator<Place> {
  const known = Object.keys(schema.shape)
  yield place('', 'unknown members', (base) => ({ ...mapOf(base), ...unknownMembers(known) }))
  if (depth >= deepest) return
  for (const [name, member] of Object.entries(schema.shape)) {
    for (const { at, what, value } of placesIn(member as z.core.$ZodType, depth + 1)) {
      yield place(`/${name}${at}`, what, (base) => {
        const map = mapOf(base)
        return { ...map, [name]: value(map[name]) }
      })
    }
  }
}

function* ofList(schema: z.ZodArray, depth: number): Generator<Place> {
  const sample = (base: unknown): unknown =>
    Array.isArray(base) && base.length > 0 ? base[0] : sampleOf(schema.element)
  const filled = (item: unknown): unknown[] => {
    const length = Math.min(190_000, Math.floor(size / (JSON.stringify(item ?? null).length + 1)))
    return Array.from({ length }, () => item)
  }
  yield place('', 'items that fit', (base) => filled(sample(base)))
  yield place('', 'items that do not fit', () => filled(0))
  yield place('', 'empty items', () => filled({}))
  if (depth >= deepest) return
  for (const { at, what, value } of placesIn(schema.element, depth + 1)) {
    yield place(`/0${at}`, what, (base) => [value(sample(base))])
  }
}

function place(at: string, what: string, value: (base: unknown) => unknown): Place {
  return { at, what, value }
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  ) {
    return unwrapped(schema.unwrap())
  }
  return schema
}

/** Something small that the schema may take; whether it does makes no difference to who is attacked. */
function sampleOf(schema: z.core.$ZodType): unknown {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodString) return 'a'
  if (inner instanceof z.ZodObject) {
    const needed = Object.entries(inner.shape).filter(
      ([, member]) => !(member as z.ZodType).safeParse(undefined).success,
    )
    return Object.fromEntries(
      needed.map(([name, member]) => [name, sampleOf(member as z.core.$ZodType)]),
    )
  }
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodNumber) return 1
  if (inner instanceof z.ZodArray) return []
  return 'a'
}

function mapOf(value: unknown): Record<string, unknown> {
  // An example is plain JSON.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

/** Names that are nearly those of known members, each another. */
function unknownMembers(known: readonly string[]): Record<string, unknown> {
  const names = known.length > 0 ? known : ['name']
  const made = Array.from({ length: 50_000 }, (_, i) => `${names[i % names.length]}${i}`)
  return Object.fromEntries(made.map((name) => [name, 0]))
}

function entries(value: () => unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`m${i}`, value()]))
}
