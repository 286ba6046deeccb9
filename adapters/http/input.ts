import type { Context } from 'koa'
import { Refusal } from '#src/core/errors.ts'
import { bodyBytesAtMost, type Operation } from '#src/core/operation.ts'
import { readJson } from './body.ts'
import { coercionOf, type Coercion } from './coercion.ts'

/** Gives the input of an operation as it came over HTTP. */
export type InputReader = (
  ctx: Context,
  params: Readonly<Record<string, string>>,
) => Promise<Record<string, unknown>>
type Members = Record<string, unknown>

/**
 * Path over body over query, so that a body can never re-aim a request. Where the operation names a
 * document member the whole body is that member, and nothing of path or query enters it.
 */
export function inputReader(op: Operation): InputReader {
  const { document } = op
  const coercions = coercionsOf(op)
  const readsBody = op.http.method === 'POST' || op.http.method === 'PUT'
  const limit = op.bodyBytes ?? bodyBytesAtMost
  const mayBeEmpty = readsBody && takesNothing(op)
  return async (ctx, params) => {
    const query = queryMembers(ctx.querystring, coercions)
    const path = pathMembers(params, coercions)
    if (!readsBody) return { ...query, ...path }
    const { value } = await readJson(ctx, limit)
    const body = objectOf(value, mayBeEmpty)
    return document === undefined
      ? { ...query, ...body, ...path }
      : { ...query, ...path, [document]: body }
  }
}

/** By name, for every member that the address may carry. */
function coercionsOf(op: Operation): ReadonlyMap<string, Coercion> {
  const members = Object.entries(op.input.shape).filter(([name]) => name !== op.document)
  return new Map(members.map(([name, schema]) => [name, coercionOf(schema)]))
}

/** Whether the body may be left out: nothing in it is required. */
function takesNothing(op: Operation): boolean {
  if (op.document !== undefined) return op.input.shape[op.document]?.safeParse({}).success === true
  const inPath = new Set([op.http.path, ...(op.http.also ?? [])].flatMap(membersOf))
  return Object.entries(op.input.shape).every(
    ([name, schema]) => inPath.has(name) || schema.safeParse(undefined).success,
  )
}

/** The members of the input that stand in a path. */
export function membersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** In the order of the schema, so that the same input always reads the same. */
function queryMembers(querystring: string, coercions: ReadonlyMap<string, Coercion>): Members {
  const members: Members = {}
  if (querystring === '') return members
  const query = new URLSearchParams(querystring)
  for (const [name, coerce] of coercions) {
    const texts = query.getAll(name)
    if (texts.length > 0) members[name] = coerce(texts)
  }
  return members
}

function pathMembers(
  params: Readonly<Record<string, string>>,
  coercions: ReadonlyMap<string, Coercion>,
): Members {
  const members: Members = {}
  for (const [name, text] of Object.entries(params)) {
    members[name] = coercions.get(name)?.([text]) ?? text
  }
  return members
}

function objectOf(value: unknown, mayBeEmpty: boolean): object {
  if (value === undefined) {
    if (mayBeEmpty) return {}
    throw new Refusal('bad_json', 'The body is empty.', {
      hint: 'Send a JSON object: this operation needs at least one member.',
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Refusal('body_not_object', 'The body must be a JSON object.')
}
