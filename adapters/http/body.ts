import { isUtf8 } from 'node:buffer'
import { once } from 'node:events'
import type { Context, Middleware } from 'koa'
import { Refusal } from '#src/core/errors.ts'
import { HttpFault } from './errors.ts'

/** A body of JSON with the text it was parsed from; the value is undefined for an empty one. */
export interface Body {
  value: unknown
  raw: string
}

/** Any body with the bytes that it came as; the value is null for an empty one. */
export interface RawBody {
  value: unknown
  bytes: Uint8Array
}

type Form = 'json' | 'text'

const readers: Readonly<Record<Form, Map<number, Middleware>>> = {
  json: new Map(),
  text: new Map(),
}

/** The parser also reads forms and files, for which it loads far more than the first answer needs. */
export function loadBodyParser() {
  return import('koa-body')
}

/** One parser for each form and limit; all of them read what was found to be of it, of any type. */
async function readerOf(form: Form, limit: number): Promise<Middleware> {
  const { koaBody } = await loadBodyParser()
  const reader = koaBody({
    json: form === 'json',
    jsonTypes: ['*/*'],
    jsonLimit: limit,
    // Empty bodies and scalars are told apart below.
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

/** Whether the request has a body at all: a length, or chunks. */
export function hasBody({ req }: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': chunks } = req.headers
  return chunks !== undefined || (length !== undefined && length !== '0')
}

/**
 * Reads a body of JSON up to this many bytes.
 * @throws HttpFault `unsupported_media_type`; Refusal `payload_too_large`, `bad_json`
 */
export async function readJson(ctx: Context, limit: number): Promise<Body> {
  if (!hasBody(ctx) || (await isUntypedNothing(ctx))) return { value: undefined, raw: '' }
  if (formOf(ctx) !== 'json') throw wrongType()
  const { value, raw } = await readAs('json', ctx, limit)
  return { value: raw === '' ? undefined : value, raw }
}

/**
 * Reads a body of JSON or text up to this many bytes, and keeps them as they came.
 * @throws HttpFault `unsupported_media_type`; Refusal `payload_too_large`, `bad_json`
 */
export async function readRaw(ctx: Context, limit: number): Promise<RawBody> {
  if (!hasBody(ctx) || (await isUntypedNothing(ctx))) return { value: null, bytes: Buffer.alloc(0) }
  const form = formOf(ctx)
  if (!form) throw wrongType(' or text')
  const { value, raw, chunks } = await readAs(form, ctx, limit)
  return { value: raw === '' ? null : value, bytes: Buffer.concat(chunks) }
}

async function readAs(
  form: Form,
  ctx: Context,
  limit: number,
): Promise<Body & { chunks: readonly Buffer[] }> {
  checkCharset(ctx)
  checkEncoding(ctx)
  if (Number(ctx.req.headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  const read = readers[form].get(limit) ?? (await readerOf(form, limit))
  const chunks: Buffer[] = []
  const keep = (chunk: Buffer): unknown => chunks.push(chunk)
  ctx.req.on('data', keep)
  try {
    await read(ctx, async () => undefined)
  } catch (cause) {
    throw bodyFault(cause, limit)
  } finally {
    ctx.req.off('data', keep)
  }
  // koa-body puts the parsed body and, as asked for, its text on the request.
  const { body, rawBody } = ctx.request as { body?: unknown; rawBody?: string }
  if (rawBody === undefined) throw wrongType()
  const raw = rawBody
  // The decoder puts U+FFFD for what is no UTF-8: only then are the bytes looked at.
  if (raw.includes('\ufffd') && !isUtf8(Buffer.concat(chunks))) {
    throw new Refusal('bad_json', 'The body is not well-formed UTF-8.')
  }
  return { value: body, raw, chunks }
}

/**
 * Whether the body is of no type, and chunks that bring nothing. Only reading tells, so what it brings
 * is lost: without a type it is refused anyway.
 */
async function isUntypedNothing({ req }: Context): Promise<boolean> {
  const { 'content-type': type, 'transfer-encoding': chunks } = req.headers
  if (type !== undefined || chunks === undefined) return false
  try {
    if (req.readableLength === 0 && !req.readableEnded) await once(req, 'readable')
  } catch (cause) {
    throw bodyFault(cause, 0)
  }
  return req.read() === null
}

/** What the body says that it is; undefined for what is neither. */
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

/** Compressed bodies are refused: a few kilobytes can unfold to gigabytes. */
export function checkEncoding(ctx: Context): void {
  const encoding = ctx.req.headers['content-encoding']
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return
  throw new HttpFault('unsupported_media_type', 'Compressed bodies are not read.', {
    hint: 'Send the body without Content-Encoding.',
    headers: { 'Accept-Encoding': 'identity' },
  })
}

function bodyFault(cause: unknown, limit: number): Error {
  if (!(cause instanceof Error)) return new HttpFault('bad_request', 'The body could not be read.')
  if ('type' in cause && cause.type === 'entity.too.large') return tooLarge(limit)
  if (cause instanceof SyntaxError) {
    const isOurs = cause.message.includes('forbidden prototype property')
    const message = isOurs
      ? 'A member may not be called "__proto__".'
      : `The body is not JSON: ${withoutBody(cause.message)}.`
    return new Refusal('bad_json', message, { cause })
  }
  return new HttpFault('bad_request', 'The body could not be read to its end.', { cause })
}

/** What the engine quotes of a body may be a secret in it. */
function withoutBody(message: string): string {
  return (
    message.replace(/(?:, (?:\.{3})?|^)".*"(?:\.{3})? is not valid JSON$/s, '').trim() ||
    'it cannot be read'
  )
}

export function tooLarge(limit: number): Refusal {
  return new Refusal('payload_too_large', `The body may be ${limit} bytes at most.`, {
    hint:
      limit < 2 ** 21 ? 'Manifests, imports and files have larger limits of their own.' : undefined,
  })
}
