import * as z from 'zod'
import { pointerStep } from '../text/text.ts'

/** The members that a schema names, with their shapes; for a list, the shape of its items. */
export interface Shape {
  /** The id of the schema; empty without one. */
  id: string
  members: ReadonlyMap<string, Shape | undefined>
  item: Shape | undefined
}

/** A member that is kept and that no schema names. */
export interface UnknownMember {
  /** JSON Pointer of the member. */
  pointer: string
  name: string
  /** The shape of the object that it is a member of. */
  of: Shape
}

const none: ReadonlyMap<string, undefined> = new Map()

const shapes = new WeakMap<z.core.$ZodType, { shape: Shape | undefined }>()

/** The members that a schema names, at any depth; undefined if it names none, because all are the caller's own. */
export function shapeOf(schema: z.core.$ZodType): Shape | undefined {
  const known = shapes.get(schema)
  if (known) return known.shape
  const shape = shapeMade(schema)
  // To look at every member of a schema takes longer than to read most documents.
  shapes.set(schema, { shape })
  return shape
}

function shapeMade(schema: z.core.$ZodType): Shape | undefined {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  ) {
    return shapeOf(schema.unwrap())
  }
  if (schema instanceof z.ZodArray) {
    const item = shapeOf(schema.element)
    return item && { id: '', members: none, item }
  }
  if (!(schema instanceof z.ZodObject)) return undefined
  const members = Object.entries(schema.shape).map(
    ([name, member]) => [name, shapeOf(member)] as const,
  )
  if (members.length === 0) return undefined
  return { id: schema.meta()?.id ?? '', members: new Map(members), item: undefined }
}

/** Objects in objects, in which a member is looked for. */
const levelsAtMost = 3

/**
 * Where the only member of a name is that is not of the shape itself but of an object in it, as
 * `ability_access.chat`. What stands in lists is left out: there may be several of it.
 */
export function placesWithin(shape: Shape): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const twice = new Set<string>()
  const look = (at: Shape, path: string, levels: number): void => {
    for (const [name, inner] of at.members) {
      if (path !== '' && !shape.members.has(name)) {
        if (found.has(name)) twice.add(name)
        else found.set(name, path + name)
      }
      if (inner && levels > 0) look(inner, `${path}${name}.`, levels - 1)
    }
  }
  look(shape, '', levelsAtMost)
  for (const name of twice) found.delete(name)
  return found
}

/** A value with more members and items is not looked through at once. */
const nodesAtOnce = 256

/**
 * Whether all members of a value are named by its schema; of a large value, false. Almost all values are like
 * that, and a plain look at one takes a fraction of what a search of it does that can stop anywhere.
 */
export function namesAll(shape: Shape, value: unknown): boolean {
  return nodesLeft(shape, value, nodesAtOnce) >= 0
}

/** How many nodes are left of so many; below zero if there were more, or a member is not named. */
function nodesLeft(shape: Shape | undefined, value: unknown, atMost: number): number {
  if (!shape || typeof value !== 'object' || value === null) return atMost
  let left = atMost
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) {
      left = nodesLeft(shape.item, value[i], left - 1)
    }
    return left
  }
  for (const name of Object.keys(value)) {
    if (left < 0 || !shape.members.has(name)) return -1
    // An object has what its keys name.
    left = nodesLeft(shape.members.get(name), (value as Record<string, unknown>)[name], left - 1)
  }
  return left
}

/** By these names callers mark members as their own. */
const own = /^(?:x-|metadata$)/i

/** A document, where it stands, and what it was before. */
interface Place {
  /** The pointer of the document. */
  at?: string
  before?: unknown
}

/**
 * The members of a document that its schema keeps without naming them, and that it did not have before. What
 * they hold is not looked at, nor `metadata` and members that begin with `x-`.
 */
export function unknownMembers(
  shape: Shape | undefined,
  value: unknown,
  place: Place = {},
): Iterable<UnknownMember> {
  return shape && namesAll(shape, value) ? [] : unknownIn(shape, value, place)
}

function* unknownIn(
  shape: Shape | undefined,
  value: unknown,
  { at = '', before }: Place = {},
): Generator<UnknownMember> {
  if (!shape || typeof value !== 'object' || value === null) return
  // Of what it was, members are only looked up.
  const had = (before ?? {}) as Readonly<Record<string, unknown>>
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield* unknownIn(shape.item, item, { at: `${at}/${i}`, before: had[i] })
    }
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const pointer = at + pointerStep(name)
    const kept = Object.hasOwn(had, name) ? had[name] : undefined
    if (shape.members.has(name)) {
      yield* unknownIn(shape.members.get(name), member, { at: pointer, before: kept })
    } else if (kept === undefined && !own.test(name)) {
      yield { pointer, name, of: shape }
    }
  }
}
