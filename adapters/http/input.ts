import type { Context } from 'koa'
import { Refusal, refuse, type FaultItem } from '#src/core/errors.ts'
import { takesBody } from '#src/core/operation-facts.ts'
import type { Operation } from '#src/core/operation.ts'
import { call } from '#src/core/words/reference.ts'
import { checkEncoding, readJson, readRaw } from './body.ts'
import { bearerMemberOf } from './credentials/bearer.ts'
import { coercionOf, type Coercion } from './coercion.ts'
import type { Reading } from './intake/intake.ts'
import { isForm, readForm } from './uploads/form.ts'

type Members = Record<string, unknown>

/** The input of an operation as received over HTTP. */
export interface Received {
  input: Members
  /** The original body, if the operation asks for its bytes. */
  bytes?: Uint8Array
}

const noValue = { value: undefined }
const noBytes = { value: null, bytes: new Uint8Array() }

/** Reads the input of an operation; its body, if there is one, with the given limits. */
export type InputReader = (
  ctx: Context,
  params: Readonly<Record<string, string>>,
  reading: Reading | undefined,
) => Promise<Received>

/**
 * The path alone names what is meant: a member that names it again in query or body is left out, and
 * one that names something else is refused. Body takes precedence over query, also that of a GET or DELETE, which needs
 * none: what is sent in it is meant. If the operation has a document member, the whole body is that member, and nothing
 * from path or query enters it; it is an object unless the document may be any JSON.
 */
export function inputReader(op: Operation): InputReader {
  const { document } = op
  const coercions = coercionsOf(op)
  const mayBeEmpty = !takesBody(op.http) || takesNothing(op)
  const isAnyJson = takesAnyJson(op)
  const isIgnored = ignoredBy(op)
  const misplaced = membersElsewhere(op)
  const agreed = (sent: Members, path: Members, where: 'body' | 'query'): void => {
    // What others send to a hook is theirs, under any name.
    if (op.http.raw !== true && op.http.anyQuery !== true) refuseOther(sent, path, where)
  }
  return async (ctx, params, reading) => {
    const query = queryMembers(ctx.querystring, coercions, isIgnored)
    for (const name in query) if (misplaced.has(name)) refuseMisplaced(name)
    const path = pathMembers(params, coercions)
    agreed(query, path, 'query')
    const inHeaders = { ...headerMembers(ctx, op), ...bearerMemberOf(ctx.req, op) }
    const others = { ...query, ...path, ...inHeaders }
    if (op.files && reading && isForm(ctx)) {
      checkEncoding(ctx)
      const form = await readForm(ctx, op.files, coercions, reading)
      agreed(form, path, 'body')
      return { input: { ...query, ...form, ...path } }
    }
    if (document !== undefined && op.http.raw) {
      const { value, bytes } = reading ? await readRaw(ctx, reading) : noBytes
      return { input: { ...others, [document]: value }, bytes }
    }
    const { value } = reading ? await readShown(op, ctx, reading) : noValue
    if (document === undefined) {
      const body: Members = {
        ...objectOf(value, mayBeEmpty, { ...op, example: { ...op.example, ...path } }),
      }
      agreed(body, path, 'body')
      return { input: { ...query, ...body, ...path, ...inHeaders } }
    }
    const body =
      isAnyJson || isJsonText(value)
        ? present(value)
        : objectOf(value, mayBeEmpty, { ...op, example: { ...op.example, ...path } })
    return { input: { ...others, [document]: body } }
  }
}

/** Reads a body of JSON, and shows a right one where it is none. */
async function readShown(op: Operation, ctx: Context, reading: Reading) {
  try {
    return await readJson(ctx, reading)
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.code !== 'bad_json' || !cause.hint) throw cause
    throw cause.withHint(`${cause.hint} For example: ${call(op.name, op.example)}.`)
  }
}

/** By name, for every member that the address may carry. */
function coercionsOf(op: Operation): ReadonlyMap<string, Coercion> {
  const elsewhere = membersElsewhere(op)
  const members = Object.entries(op.input.shape).filter(([name]) => !elsewhere.has(name))
  return new Map(members.map(([name, schema]) => [name, coercionOf(schema)]))
}

/** The members that come in the body or in headers alone. */
function membersElsewhere({ document, http: { headers = {} } }: Operation): ReadonlySet<string> {
  return new Set([...(document === undefined ? [] : [document]), ...Object.keys(headers)])
}

/** @throws Refusal `invalid_input` always */
function refuseMisplaced(name: string): never {
  const message = 'It is not sent in the query.'
  return refuse('invalid_input', `${name}: ${message}`, {
    errors: [{ pointer: `/${name}`, message, code: 'unknown_member' }],
  })
}

/** @throws Refusal `invalid_input` for a member that names something else than the path does */
function refuseOther(sent: Members, path: Members, where: 'body' | 'query'): void {
  const errors = Object.entries(path).flatMap(([name, value]): FaultItem[] => {
    if (!Object.hasOwn(sent, name) || isSame(sent[name], value)) return []
    const message = `The path names ${shown(value)}, the ${where} ${shown(sent[name])}.`
    return [{ pointer: `/${name}`, message, code: 'id_fixed' }]
  })
  const [first] = errors
  if (!first) return
  const name = first.pointer.slice(1)
  refuse('invalid_input', `${name}: ${first.message}`, {
    errors,
    hint: `Leave ${name} out of the ${where}: the path alone says which one is meant.`,
  })
}

function isSame(sent: unknown, named: unknown): boolean {
  const isScalar = typeof sent === 'string' || typeof sent === 'number'
  return isScalar && String(sent).normalize() === String(named).normalize()
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? `"${String(value).slice(0, 100)}"`
    : 'something else'
}

/** Whether the document may be any JSON, including values that are not objects. */
function takesAnyJson({ document, input }: Operation): boolean {
  return document !== undefined && input.shape[document]?.safeParse(null).success === true
}

/** Whether the body may be left out: nothing in it is required. */
function takesNothing(op: Operation): boolean {
  if (op.document !== undefined) return op.input.shape[op.document]?.safeParse({}).success === true
  const inPath = new Set([op.http.path, ...(op.http.also ?? [])].flatMap(membersOf))
  return Object.entries(op.input.shape).every(
    ([name, schema]) => inPath.has(name) || schema.safeParse(undefined).success,
  )
}

/** The input members in a path. */
export function membersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** Names under which people send a key in the address; where none may be needed, they change nothing. */
const keysInAddresses: ReadonlySet<string> = new Set(['api_key', 'key', 'token'])

/** Which names in a query are left out, if the operation has no such member; others are refused by its schema. */
function ignoredBy(op: Operation): (name: string) => boolean {
  if (op.http.raw === true || op.http.anyQuery === true) return () => true
  const isOpen = op.auth === 'none' || op.keyless !== undefined
  return isOpen ? (name) => keysInAddresses.has(name) : () => false
}

/** In the order of the schema, so that the same input is always the same text; then what it does not name. */
function queryMembers(
  querystring: string,
  coercions: ReadonlyMap<string, Coercion>,
  isIgnored: (name: string) => boolean,
): Members {
  if (querystring === '') return {}
  const query = new URLSearchParams(querystring)
  const members = new Map<string, unknown>()
  for (const [name, coerce] of coercions) {
    const texts = query.getAll(name)
    if (texts.length > 0) members.set(name, coerce(texts))
  }
  for (const [name, text] of query) {
    if (!coercions.has(name) && !isIgnored(name)) members.set(name, text)
  }
  // It defines members, so one called __proto__ is one, and is refused.
  return Object.fromEntries(members)
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

/** Headers that were sent and stand for members of the input. */
function headerMembers({ req }: Context, { http: { headers } }: Operation): Members {
  if (!headers) return {}
  const sent = Object.entries(headers).map(([name, header]) => {
    const names = [header].flat()
    return [
      name,
      names.map((one) => req.headers[one.toLowerCase()]).find((text) => text !== undefined),
    ] as const
  })
  return Object.fromEntries(sent.filter(([, text]) => text !== undefined))
}

/** A document that was sent as a text of JSON is left for the core to read. */
function isJsonText(value: unknown): boolean {
  return typeof value === 'string' && value.trimStart().startsWith('{')
}

function present(value: unknown): unknown {
  if (value !== undefined) return value
  throw new Refusal('bad_json', 'The body is empty.', {
    hint: 'Send any JSON; for an empty value send null.',
  })
}

function objectOf(value: unknown, mayBeEmpty: boolean, { name, example }: Operation): object {
  const shown = `For example: ${call(name, example)}.`
  if (value === undefined) {
    if (mayBeEmpty) return {}
    throw new Refusal('bad_json', 'The body is empty.', {
      hint: `Send a JSON object: this operation needs at least one member. ${shown}`,
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new Refusal('body_not_object', 'The body must be a JSON object.', {
    hint: `Send the object itself, neither in a list nor as a text. ${shown}`,
  })
}
