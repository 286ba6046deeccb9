import type { Context } from 'koa'
import { Refusal } from '#src/core/errors.ts'
import type { Door, DoorAnswer, DoorRequest, TransportFault } from '#protocol/door.ts'
import type { Arrival } from './arrival.ts'
import { readJson } from './body.ts'
import { authorizationOf } from './credentials/bearer.ts'
import { HttpFault } from './errors.ts'
import { goneSignal } from './gone.ts'
import type { Page } from './page.ts'
import type { Reply } from './reply.ts'
import { Room } from './uploads/room.ts'

/** One file as base64 fits in; more go by REST. */
const bodyBytesAtMost = 16 * 1024 * 1024
/** Larger ones are few, and take room before they are read: as text and as what it is parsed to. */
const largeFrom = 2 ** 20
/** Whose they are is known only when they are read, so they leave half of the room to others. */
const shareOfRoom = 0.5

/**
 * A door at its path: the request in its terms, its answer in ours. Whose requests it takes it judges
 * itself; to pages of the origins that it admits the browser is told to show the answer.
 */
export function doorPage(
  door: () => Promise<Door>,
  originPolicy: (origin: string) => boolean,
  room = new Room(),
): Page {
  return {
    methods: 'all',
    async reply(ctx, arrival, fault) {
      const { origin } = ctx.req.headers
      const isFriend = origin !== undefined && originPolicy(origin)
      if (isFriend && ctx.req.method === 'OPTIONS') return preflight(origin)
      const opened = await door()
      const leave = roomFor(ctx, room)
      try {
        const request = await requestOf(ctx, arrival, fault ?? (leave ? undefined : noRoom))
        const reply = replyOf(await opened.handle(request))
        if (isFriend) Object.assign(reply.headers, originHeaders(origin))
        return reply
      } finally {
        leave?.()
      }
    },
  }
}

/** Takes the room of a large body; undefined where there is none. */
function roomFor({ req }: Context, room: Room): (() => void) | undefined {
  const length = Number(req.headers['content-length'] ?? 0)
  if (length <= largeFrom || length > bodyBytesAtMost) return () => undefined
  return room.take(length * 2, shareOfRoom)
}

const noRoom: TransportFault = {
  status: 503,
  message: 'Too much is being sent at this moment: send it again.',
  headers: { 'Retry-After': '5' },
}

async function requestOf(
  ctx: Context,
  arrival: Arrival,
  fault: TransportFault | undefined,
): Promise<DoorRequest> {
  const { method = '', headers } = ctx.req
  const authorization = authorizationOf(ctx.req)
  return {
    ...arrival,
    ...(fault ? faulty(fault) : await bodyOf(ctx)),
    method,
    // Of all headers only set-cookie, which no request has, comes as a list.
    headers: { ...(headers as Record<string, string | undefined>), authorization },
    query: new URLSearchParams(ctx.querystring),
    signal: goneSignal(ctx.res),
  }
}

/** What is wrong with a body is for the door to say, in the words of its protocol. */
async function bodyOf(
  ctx: Context,
): Promise<Pick<DoorRequest, 'body' | 'parseError' | 'rawLength' | 'fault'>> {
  if (ctx.req.method !== 'POST') return { body: undefined }
  try {
    const { value, raw } = await readJson(ctx, bodyBytesAtMost)
    return { body: value, rawLength: raw.length }
  } catch (cause) {
    if (cause instanceof Refusal && cause.kind === 'too_large') {
      return { body: undefined, rawLength: bodyBytesAtMost + 1 }
    }
    if (cause instanceof Refusal) return { body: undefined, parseError: true }
    if (!(cause instanceof HttpFault)) throw cause
    // A wrong type is for the door to refuse; that it reads no other encoding or charset, it cannot know.
    const { 'content-encoding': encoding, 'content-type': type = '' } = ctx.req.headers
    const isForDoor = cause.status === 415 && encoding === undefined && !/charset/i.test(type)
    return isForDoor ? { body: undefined } : faulty(cause)
  }
}

/** A code of ours is none of the protocol's. */
function faulty({ status, message, headers }: TransportFault): Pick<DoorRequest, 'body' | 'fault'> {
  return { body: undefined, fault: { status, message, headers } }
}

function replyOf({ status, headers, body, secret }: DoorAnswer): Reply {
  const kept: Record<string, string> = { 'cache-control': 'no-store', ...headers }
  if (body instanceof ReadableStream) kept['x-accel-buffering'] = 'no'
  return { status, headers: kept, body, ownOrigins: true, secret: secret === true }
}

function originHeaders(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'WWW-Authenticate, Retry-After, X-Request-Id, A2A-Extensions',
  }
}

const headersOfProtocols =
  'Accept, Authorization, Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, A2A-Version, A2A-Extensions, Last-Event-ID, Traceparent, X-Request-Id'

function preflight(origin: string): Reply {
  return {
    status: 204,
    headers: {
      ...originHeaders(origin),
      Allow: 'OPTIONS, POST',
      'Access-Control-Allow-Methods': 'OPTIONS, POST',
      'Access-Control-Allow-Headers': headersOfProtocols,
      'Access-Control-Max-Age': '7200',
      'Cache-Control': 'no-store',
    },
    ownOrigins: true,
  }
}
