import type { Context } from 'koa'
import { overLimit } from '#src/core/admission/limits-of.ts'
import type { Core } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import type { Absence } from '#src/core/commons/absence.ts'
import { Refusal } from '#src/core/errors.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Door, DoorAnswer, DoorRequest, TransportFault } from '#protocol/door.ts'
import type { Arrival } from './arrival.ts'
import { readJson } from './body.ts'
import { authorizationOf, credentialOf } from './credentials/bearer.ts'
import { HttpFault, headersOf } from './errors.ts'
import { goneSignal } from './gone.ts'
import type { Intake } from './intake/intake.ts'
import { addLimit } from './operation-route.ts'
import type { Page } from './page.ts'
import { json, type Reply } from './reply.ts'

/** One file as base64 fits in; more go by REST. */
const bodyBytesAtMost = 16 * 1024 * 1024

/** What the doors of agents share. */
export interface DoorTerms {
  core: Pick<Core, 'identify'>
  intake: Intake
  /** Whether pages of this origin may call. */
  originPolicy: (origin: string) => boolean
  /** How the limit stands that has no request left for this sender, whatever it asks for. */
  spent: (caller: Caller | undefined, address: string) => LimitState | undefined
}

/**
 * A door at its path: the request in its terms, its answer in ours. Whose requests it takes it judges
 * itself; to pages of the origins that it admits the browser is told to show the answer.
 */
export function doorPage(door: () => Promise<Door>, terms: DoorTerms): Page {
  const { originPolicy } = terms
  return {
    methods: 'all',
    async reply(ctx, arrival, fault) {
      const { origin } = ctx.req.headers
      const isFriend = origin !== undefined && originPolicy(origin)
      if (isFriend && ctx.req.method === 'OPTIONS') return preflight(origin)
      const opened = await door()
      const body = fault ? faulty(fault) : await bodyOf(ctx, arrival, terms)
      try {
        const reply = replyOf(await opened.handle(requestOf(ctx, arrival, body.sent)))
        if (isFriend) Object.assign(reply.headers, originHeaders(origin))
        return reply
      } finally {
        body.release?.()
      }
    },
  }
}

/** The path of a door that this server does not have: whoever knocks is told why, in JSON-RPC. */
export function absentDoorPage({ message, hint }: Absence): Page {
  const { code, status } = { code: 'path_not_found', status: 404 }
  return {
    methods: 'all',
    reply(_, { requestId }) {
      const data = { detail: message, code, hint, request_id: requestId }
      const error = { code: status, message, data }
      return Promise.resolve({
        status,
        headers: { 'Content-Type': json, 'Cache-Control': 'no-store' },
        body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
      })
    },
  }
}

/** The body of a request, or what is wrong with it. */
interface SentBody {
  sent: Pick<DoorRequest, 'body' | 'parseError' | 'rawLength' | 'fault'>
  /** Gives back what is held for it. */
  release?: () => void
}

function requestOf(ctx: Context, arrival: Arrival, body: SentBody['sent']): DoorRequest {
  const { method = '', headers } = ctx.req
  const authorization = authorizationOf(ctx.req)
  return {
    ...arrival,
    ...body,
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
  { address }: Arrival,
  { core, intake, spent }: DoorTerms,
): Promise<SentBody> {
  if (ctx.req.method !== 'POST') return { sent: { body: undefined } }
  const caller = await callerOf(ctx, core)
  const limit = spent(caller, address)
  if (limit) return { sent: { body: undefined, fault: overLimitFault(limit) } }
  const reading = intake.reading({ caller, address }, bodyBytesAtMost)
  const release = (): void => reading.hold.release()
  try {
    const { value, size } = await readJson(ctx, reading)
    return { sent: { body: value, rawLength: size }, release }
  } catch (cause) {
    release()
    return refusedBody(ctx, cause)
  }
}

/** Who sends it, as far as the headers tell; that a credential is no good is for the door to say. */
async function callerOf({ req }: Context, core: DoorTerms['core']): Promise<Caller | undefined> {
  const credential = credentialOf(req)
  if (credential === undefined) return undefined
  try {
    return await core.identify(credential)
  } catch (cause) {
    if (cause instanceof Refusal) return undefined
    throw cause
  }
}

function refusedBody(ctx: Context, cause: unknown): SentBody {
  if (cause instanceof Refusal) {
    if (cause.code === 'bad_json') return { sent: { body: undefined, parseError: true } }
    const { status, message } = cause
    const fault = { status, message, headers: headersOf(cause), refusal: cause }
    return { sent: { body: undefined, fault } }
  }
  if (!(cause instanceof HttpFault)) throw cause
  // A wrong type is for the door to refuse; that it reads no other encoding or charset, it cannot know.
  const { 'content-encoding': encoding, 'content-type': type = '' } = ctx.req.headers
  const isForDoor = cause.status === 415 && encoding === undefined && !/charset/i.test(type)
  return isForDoor ? { sent: { body: undefined } } : faulty(cause)
}

function overLimitFault(limit: LimitState): TransportFault {
  const refusal = overLimit(limit)
  const headers: Record<string, string> = { ...headersOf(refusal) }
  addLimit(headers, limit)
  return { status: refusal.status, message: refusal.message, headers, refusal }
}

/** A code of ours is none of the protocol's. */
function faulty({ status, message, headers }: TransportFault): SentBody {
  return { sent: { body: undefined, fault: { status, message, headers } } }
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
