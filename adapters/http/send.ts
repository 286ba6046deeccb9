import type { Context } from 'koa'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TextParts } from '#protocol/door.ts'
import type { Arrival } from './arrival.ts'
import { Batch, isInPieces, type Body as Sent } from './outlet/batch.ts'
import { compress, compressedFrom, encodingOf, type Encoding } from './compression.ts'
import { isKnown, tagHeader } from './conditional.ts'
import { openOrigins } from './cors.ts'
import { pourEvents } from './events.ts'
import { bytesOfShared, FixedText } from './outlet/fixed-text.ts'
import { isCut, isCutShort, leave } from './intake/intake.ts'
import type { Reply } from './reply.ts'

/** Few answers are pages: no content is sniffed, framed or executed, and no referrer is sent. */
const typed = ['X-Content-Type-Options', 'nosniff']
const silence = [...typed, 'Referrer-Policy', 'no-referrer']
const guards = [...silence, 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"]
const open = [...guards, ...Object.entries(openOrigins).flat()]

/** Sends the reply: compressed, or as 304 without its body, if the request allows that. */
export async function send(
  ctx: Context,
  { requestId }: Arrival,
  reply: Reply,
  isLast: boolean,
): Promise<void> {
  const { req, res } = ctx
  ctx.respond = false
  const headers = [...guardsOf(reply), 'X-Request-Id', requestId]
  for (const name in reply.headers) headers.push(name, reply.headers[name] ?? '')
  const isShort = isCutShort(ctx)
  leave(ctx)
  if (isLast || isShort) headers.push('Connection', 'close')
  if (isStream(reply.body)) return sendStream(ctx, reply, reply.body, headers)
  const encoding = encodingFor(reply, req.headers['accept-encoding'])
  headers.push('Vary', 'Accept, Accept-Encoding')
  if (reply.tag) headers.push('ETag', tagHeader(reply.tag, encoding))
  if (isUnchanged(ctx, reply)) {
    res.writeHead(304, headers)
    res.end()
    return
  }
  const body = await bytesOf(reply.body, reply.parts, encoding)
  if (encoding) headers.push('Content-Encoding', encoding)
  if (body !== undefined) headers.push('Content-Length', String(lengthOf(body)))
  else if (reply.status !== 204) headers.push('Content-Length', '0')
  if (res.destroyed) return
  res.writeHead(reply.status, headers)
  const isWaitedFor = isShort && !isCut(ctx)
  if (isWaitedFor) await untilHeard(ctx, body)
  batch.end(res, req.method === 'HEAD' || isWaitedFor ? undefined : body)
}

/** One for all answers of the process: they share its event loop. */
const batch = new Batch()

const lingeringMs = 2000

/**
 * Answers a request whose body is not read, and discards the rest of the body for a while: a sender
 * whose connection is cut while it sends would never see the answer.
 */
async function untilHeard({ req, res }: Context, body: Sent): Promise<void> {
  const whole = isInPieces(body) ? Buffer.concat(body) : body
  if (whole !== undefined && req.method !== 'HEAD') res.write(whole)
  else res.flushHeaders()
  await new Promise<void>((resolve) => {
    const heard = setTimeout(resolve, lingeringMs)
    const over = (): void => {
      clearTimeout(heard)
      resolve()
    }
    req.once('end', over).once('close', over).once('error', over).once('cut', over)
    req.resume()
  })
  req.pause()
}

/** The security headers of every answer, except those that this one sets itself. */
function guardsOf({ ownPolicy, ownOrigins, headers }: Reply): readonly string[] {
  if (ownPolicy) return headers['Referrer-Policy'] === undefined ? silence : typed
  return ownOrigins ? guards : open
}

function encodingFor(reply: Reply, accepted: string | undefined): Encoding | undefined {
  const { body } = reply
  if (reply.secret || body === undefined || isStream(body)) return undefined
  return body.length < compressedFrom ? undefined : encodingOf(accepted)
}

function isUnchanged({ req }: Context, reply: Reply): boolean {
  if (reply.status !== 200 || (req.method !== 'GET' && req.method !== 'HEAD')) return false
  const { 'if-none-match': known, 'if-modified-since': since } = req.headers
  if (known !== undefined) return reply.tag !== undefined && isKnown(reply.tag, known)
  const { 'Last-Modified': changed } = reply.headers
  // A date that cannot be read compares as neither, so it is ignored.
  return since !== undefined && changed !== undefined && Date.parse(since) >= Date.parse(changed)
}

type Body = Reply['body']
type Stream = Exclude<Body, string | FixedText | undefined>

function isStream(body: Body): body is Stream {
  return typeof body === 'object' && !(body instanceof FixedText)
}

function bytesOf(
  body: string | FixedText | undefined,
  parts: Reply['parts'],
  encoding: Encoding | undefined,
): Promise<Sent> | Sent {
  if (body instanceof FixedText) return body.bytes(encoding)
  if (encoding) return compress(body ?? '', encoding)
  return parts ? piecesOf(parts) : body
}

/** Copies nothing of the shared text: it may be long, and its readers slow. */
async function piecesOf({ before, shared, after }: TextParts): Promise<readonly Buffer[]> {
  return [Buffer.from(before), await bytesOfShared(shared), Buffer.from(after)]
}

function lengthOf(body: NonNullable<Sent>): number {
  if (!isInPieces(body)) return Buffer.byteLength(body)
  return body.reduce((sum, { length }) => sum + length, 0)
}

async function sendStream(
  { req, res }: Context,
  reply: Reply,
  body: Stream,
  headers: string[],
): Promise<void> {
  if (res.destroyed) return
  res.writeHead(reply.status, headers)
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  res.flushHeaders()
  if (body instanceof ReadableStream) await pipeline(Readable.fromWeb(body), res)
  else await pourEvents(body, res)
}
