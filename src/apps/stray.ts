import * as z from 'zod'
import { pointerStep } from '#src/core/text/text.ts'
import type { Notices } from '#src/agents/tasks/notices.ts'
import { Manifest } from './manifest.ts'

/** The members that a schema names, with their shapes; for a list, the shape of its items. */
interface Shape {
  members: ReadonlyMap<string, Shape | undefined>
  item: Shape | undefined
}

const none: ReadonlyMap<string, undefined> = new Map()

function shapeOf(schema: z.core.$ZodType): Shape | undefined {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  ) {
    return shapeOf(schema.unwrap())
  }
  if (schema instanceof z.ZodArray) {
    const item = shapeOf(schema.element)
    return item && { members: none, item }
  }
  if (!(schema instanceof z.ZodObject)) return undefined
  const members = Object.entries(schema.shape).map(
    ([name, member]) => [name, shapeOf(member)] as const,
  )
  // An object schema without members is free: all names are the caller's own.
  return members.length === 0 ? undefined : { members: new Map(members), item: undefined }
}

const manifestShape = shapeOf(Manifest)

/**
 * Notes unknown members whose names are close to known ones: documents keep unknown members, so a
 * misspelling would go unnoticed.
 */
export function noteStrays(notices: Notices, raw: unknown): void {
  visit(notices, raw, manifestShape, '')
}

function visit(notices: Notices, value: unknown, shape: Shape | undefined, at: string): void {
  if (!shape || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) visit(notices, item, shape.item, `${at}/${i}`)
    return
  }
  for (const [name, member] of Object.entries(value)) {
    const pointer = at + pointerStep(name)
    if (shape.members.has(name)) visit(notices, member, shape.members.get(name), pointer)
    else noteStray(notices, name, shape, pointer)
  }
}

// Prefixes by which callers mark members as their own.
const marked = /^(?:x[-_]|[_$])/i

function noteStray(notices: Notices, name: string, { members }: Shape, pointer: string): void {
  if (notices.isFull || marked.test(name)) return
  const meant = notices.suggest(name, members.keys())
  if (meant !== undefined) {
    notices.add('unknown_member', pointer, `Nothing reads "${name}"; it is kept.`, meant)
  }
}
