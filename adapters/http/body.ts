import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import Koa, { type Context, type Middleware } from 'koa'
import { heavyBytes, oneValue } from '#src/core/input/bounds.ts'
import { JsonScan } from '#src/core/input/json-scan.ts'
import { Refusal } from '#src/core/errors.ts'
import { forbiddenMember } from '#src/core/input/walk.ts'
import { turnOf } from '#src/core/turns/slices.ts'
import { HttpFault } from './errors.ts'
import { gateOf } from './intake/gate.ts'
import type { Reading } from './intake/intake.ts'
import { parsedJson } from './intake/parsed.ts'
import { brokenOff, noRoom, notUtf8, tooLarge } from './intake/refusals.ts'
import { fieldsOf, isFields } from './uploads/fields.ts'
import { Gathered } from './uploads/gathered.ts'

/** From this size on, a body is parsed on a thread, off the event loop. */
const largeFrom = 2 ** 18
/** How much a parsed value and its copy take, compared with the text. */
const timesParsed = 4

/** A JSON body and its size in bytes; the value is undefined for an empty body. */
export interface Body {
  value: unknown
  size: number
}

/** Any body with its original bytes; the value is null for an empty body. */
export interface RawBody {
  value: unknown
  bytes: Uint8Array
}

type Form = 'json' | 'text'

const readers: Readonly<Record<Form, Map<number, Middleware>>> = {
  json: new Map(),
  text: new Map(),
}

/** The parser also handles forms and files, for which it loads far more than the first answer needs. */
export function loadBodyParser() {
  return import('koa-body')
}

/** Reads a body that no one sent: the parser loads most of what it needs with its first body. */
export async function tryBodyParser(): Promise<void> {
  const text = '{}'
  const request = new IncomingMessage(new Socket())
  request.method = 'POST'
  request.headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(text.length),
  }
  request.push(text)
  request.push(null)
  const context = new Koa().createContext(request, new ServerResponse(request))
  const reader = await readerOf('json', text.length)
  await reader(context, () => Promise.resolve())
}

/**
 * One parser for each form and limit; each parses any media type, because the form is already decided.
 */
async function readerOf(form: Form, limit: number): Promise<Middleware> {
  const { koaBody, HttpMethodEnum } = await loadBodyParser()
  const reader = koaBody({
    // Operations of any method may be sent a body.
    parsedMethods: Object.values(HttpMethodEnum),
    json: form === 'json',
    jsonTypes: ['*/*'],
    jsonLimit: limit,
    // Empty bodies and scalars are handled below.
    jsonStrict: false,
    includeUnparsed: true,
    multipart: false,
    urlencoded: false,
    text: form === 'text',
    textTypes: ['*/*'],
    textLimit: limit,
  })
  readers[form].set(limit, reader)
  return reader
}

/** Whether the request has a body: a positive length, or chunks. */
export function hasBody({ req }: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': chunks } = req.headers
  return chunks !== undefined || (length !== undefined && length !== '0')
}

/**
 * Reads a JSON body.
 * @throws HttpFault `unsupported_media_type`; Refusal `payload_too_large`, `bad_json`, `too_deep`,
 *   `unavailable` if too much is held already
 */
export async function readJson(ctx: Context, reading: Reading): Promise<Body> {
  if (!hasBody(ctx) || (await isUntypedNothing(ctx))) return { value: undefined, size: 0 }
  if (formOf(ctx) !== 'json') throw wrongType()
  checkForm(ctx, reading)
  if (mayBeHeavy(ctx, reading)) return readGathered(ctx, reading)
  const { value, chunks } = await readAs('json', ctx, reading)
  return { value, size: sizeOf(chunks) }
}

/**
 * Reads a body of JSON, text or the fields of a form, and keeps its original bytes.
 * @throws HttpFault `unsupported_media_type`; Refusal `payload_too_large`, `bad_json`, `too_deep`,
 *   `unavailable` if too much is held already
 */
export async function readRaw(ctx: Context, reading: Reading): Promise<RawBody> {
  if (!hasBody(ctx) || (await isUntypedNothing(ctx))) return { value: null, bytes: Buffer.alloc(0) }
  const isForm = isFields(ctx)
  const form = isForm ? 'text' : formOf(ctx)
  if (!form) throw wrongType(', text or a form without files')
  checkForm(ctx, reading)
  const { value, chunks } = await readAs(form, ctx, reading)
  const bytes = Buffer.concat(chunks)
  return { value: isForm ? fieldsOf(bytes) : (value ?? null), bytes }
}

/** Checks what the headers alone decide. */
function checkForm(ctx: Context, reading: Reading): void {
  checkCharset(ctx)
  checkEncoding(ctx)
  if (announced(ctx) > reading.limit) throw tooLarge(reading)
  expected(ctx)
}

/** The declared length of the body; 0 if it is chunked. */
function announced({ req }: Context): number {
  return req.headers['transfer-encoding'] === undefined
    ? Number(req.headers['content-length'] ?? 0)
    : 0
}

/** Whether the body may be too large to be cheap to parse, regardless of its content. */
function mayBeDear(ctx: Context): boolean {
  return ctx.req.headers['transfer-encoding'] !== undefined || announced(ctx) > heavyBytes
}

async function readAs(
  form: Form,
  ctx: Context,
  reading: Reading,
): Promise<{ value: unknown; chunks: readonly Buffer[] }> {
  const { limit } = reading
  const read = readers[form].get(limit) ?? (await readerOf(form, limit))
  const chunks: Buffer[] = []
  const scan = form === 'json' && mayBeDear(ctx) ? new JsonScan() : undefined
  const gate = gateOf(ctx, reading, scan)
  const keep = (chunk: Buffer): void => {
    try {
      gate(chunk)
      chunks.push(chunk)
    } catch (cause) {
      // The reader of the stream receives it like any other error, and stops reading.
      ctx.req.off('data', keep).emit('error', cause)
    }
  }
  ctx.req.on('data', keep)
  try {
    await read(ctx, async () => undefined)
  } catch (cause) {
    throw bodyFault(cause, reading)
  } finally {
    ctx.req.off('data', keep)
  }
  // Work on this many values is spread over turns of the event loop, of which this was one.
  if (scan?.isHeavy) await setImmediate()
  // koa-body puts the parsed body and, on request, its text on the request object.
  const { body, rawBody } = ctx.request as { body?: unknown; rawBody?: string }
  if (rawBody === undefined) throw wrongType()
  // The decoder replaces invalid UTF-8 by U+FFFD: only then are the bytes checked.
  if (rawBody.includes('\ufffd') && !isUtf8(Buffer.concat(chunks))) {
    throw new Refusal('bad_json', notUtf8)
  }
  return { value: rawBody === '' ? undefined : body, chunks }
}

function mayBeHeavy(ctx: Context, { limit }: Reading): boolean {
  const { 'transfer-encoding': chunks } = ctx.req.headers
  return chunks === undefined ? announced(ctx) > heavyBytes : limit > largeFrom
}

/**
 * Reads a body that may hold up the event loop, into our own blocks. It is parsed in a turn of its own, a large
 * one by a thread.
 */
async function readGathered(ctx: Context, reading: Reading): Promise<Body> {
  const { hold, thread, sender } = reading
  const gathered = new Gathered()
  const scan = new JsonScan()
  const gate = gateOf(ctx, reading, scan)
  try {
    // By default, ending the iteration would cut the connection before the refusal is sent.
    for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
      // Without an encoding set, the request yields bytes.
      const bytes = chunk as Buffer
      gate(bytes)
      gathered.add(bytes)
    }
    const { size } = gathered
    if (size === 0) return { value: undefined, size }
    if (size > heavyBytes) await turnOf(loop)
    if (size <= largeFrom) return { value: parsedJson(gathered.whole()), size }
    // The text, the parsed value and its copy are in memory at the same time, and a value takes more than its text.
    if (!hold.grow(size * timesParsed)) throw noRoom()
    return { value: await thread.parse(gathered.pieces(), sender), size }
  } catch (cause) {
    throw bodyFault(cause, reading)
  }
}

/** The turns of the event loop. */
const loop = { turn: () => setImmediate() }

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/**
 * Whether the body has no type, and chunks that carry nothing. Only reading can tell. The data read is
 * lost, which is acceptable: without a type the body is refused anyway.
 */
async function isUntypedNothing({ req }: Context): Promise<boolean> {
  const { 'content-type': type, 'transfer-encoding': chunks } = req.headers
  if (type !== undefined || chunks === undefined) return false
  try {
    if (req.readableLength === 0 && !req.readableEnded) await once(req, 'readable')
  } catch (cause) {
    throw bodyFault(cause)
  }
  return req.read() === null
}

/** The declared form of the body; undefined for unsupported types. */
function formOf(ctx: Context): Form | undefined {
  const [type = ''] = (ctx.req.headers['content-type'] ?? '').toLowerCase().split(';')
  if (/^application\/(?:json|[\w.!#$&^+-]{1,100}\+json)$/.test(type.trim())) return 'json'
  return /^text\/[\w.!#$&^+-]{1,100}$/.test(type.trim()) ? 'text' : undefined
}

function checkCharset(ctx: Context): void {
  const [, ...parameters] = (ctx.req.headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (charset === undefined || /^charset="?utf-?8"?$/.test(charset)) return
  throw new HttpFault('unsupported_media_type', 'Bodies are UTF-8: no other charset is read.', {
    hint: 'Send the body as UTF-8.',
  })
}

function wrongType(also = ''): HttpFault {
  return new HttpFault('unsupported_media_type', `The body must be application/json${also}.`, {
    hint: 'Send "Content-Type: application/json".',
  })
}

/** Compressed bodies are refused: a few kilobytes can expand to gigabytes. */
export function checkEncoding(ctx: Context): void {
  const encoding = ctx.req.headers['content-encoding']
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  throw new HttpFault('unsupported_media_type', 'Compressed bodies are not read.', {
    hint: 'Send the body without Content-Encoding.',
    headers: { 'Accept-Encoding': 'identity' },
  })
}

function bodyFault(cause: unknown, reading?: Reading): Error {
  if (cause instanceof Refusal) return cause
  if (!(cause instanceof Error)) return new HttpFault('bad_request', 'The body could not be read.')
  if (reading && 'type' in cause && cause.type === 'entity.too.large') return tooLarge(reading)
  if (cause instanceof SyntaxError) {
    if (cause.message.includes('forbidden prototype property')) return forbiddenMember(cause)
    const message = `The body is not JSON: ${withoutBody(cause.message)}.`
    return new Refusal('bad_json', message, { cause, hint: oneValue })
  }
  return brokenOff(cause)
}

/** The engine's message may quote a secret in the body. */
function withoutBody(message: string): string {
  return (
    message.replace(/(?:, (?:\.{3})?|^)".*"(?:\.{3})? is not valid JSON$/s, '').trim() ||
    'it cannot be read'
  )
}

/** Answers 100-continue to a sender that waits for it. */
export function expected({ req, res }: Context): void {
  if (/^100-continue$/i.test(req.headers.expect ?? '')) res.writeContinue()
}
