import type { Context } from 'koa'
import { overLimit } from '#src/core/admission/limits-of.ts'
import type { Core } from '#src/core/door.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import type { Absence } from '#src/core/commons/absence.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Log } from '#src/ports/log.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import type { Door, DoorAnswer, DoorRequest, TransportFault } from '#protocol/door.ts'
import type { Arrival } from './arrival.ts'
import { readJson } from './body.ts'
import { checkAudience } from './credentials/audience.ts'
import { authorizationOf, credentialOf } from './credentials/bearer.ts'
import { HttpFault, headersOf, refusalOfFailure } from './errors.ts'
import { goneSignal } from './gone.ts'
import type { Intake } from './intake/intake.ts'
import { addLimit } from './operation-route.ts'
import type { Page } from './page.ts'
import { json, type Reply } from './reply.ts'

/** Fits one file as base64; larger uploads go by REST. */
const bodyBytesAtMost = 16 * 1024 * 1024

/** What the doors of agents share. */
export interface DoorTerms {
  log: Pick<Log, 'warn' | 'error'>
  core: Pick<Core, 'identify'>
  intake: Intake
  /** Whether pages of this origin may call. */
  originPolicy: (origin: string) => boolean
  /** The public URL of the service. */
  publicUrl: () => string
  /** Whether it is for hosts that sign a person in: it challenges callers without a credential. */
  signsIn?: boolean
  /** The exhausted limit of this sender, for any kind of request; undefined if requests are left. */
  spent: (caller: Caller | undefined, address: string) => LimitState | undefined
}

/**
 * A door at its path: translates the request and the reply. The door itself decides whose requests it
 * accepts; CORS headers let pages of the admitted origins read the answer.
 */
export function doorPage(door: () => Promise<Door>, terms: DoorTerms): Page {
  const { originPolicy } = terms
  return {
    methods: 'all',
    async reply(ctx, arrival, fault) {
      const { origin } = ctx.req.headers
      const isFriend = origin !== undefined && originPolicy(origin)
      if (isFriend && !fault && ctx.req.method === 'OPTIONS') return preflight(origin)
      const reply = await answerOf(door, ctx, arrival, { fault, terms }).catch((cause: unknown) =>
        failureReply(cause, arrival, terms),
      )
      if (isFriend) Object.assign(reply.headers, originHeaders(origin))
      return reply
    },
  }
}

async function answerOf(
  door: () => Promise<Door>,
  ctx: Context,
  arrival: Arrival,
  { fault, terms }: { fault: HttpFault | undefined; terms: DoorTerms },
): Promise<Reply> {
  if (terms.signsIn === true && credentialOf(ctx.req) === undefined) throw notSignedIn()
  await checkAudience(ctx, terms.core, terms.publicUrl())
  const opened = await door()
  const body = fault ? faulty(fault) : await bodyOf(ctx, arrival, terms)
  try {
    return replyOf(await opened.handle(requestOf(ctx, arrival, body.sent)))
  } finally {
    body.release?.()
  }
}

function notSignedIn(): Refusal {
  return new Refusal('unauthenticated', 'This door is for programs that sign a person in.', {
    hint: 'The challenge says where to begin. A key works here too; /mcp is open to newcomers.',
  })
}

/** The reply to a failure outside of any door, in JSON-RPC, which all doors speak. */
function failureReply(cause: unknown, { requestId }: Arrival, { log }: DoorTerms): Reply {
  const refusal = refusalOfFailure(cause, { log, requestId })
  return { ...rpcReply(refusal, refusal.toObject(requestId)), ownOrigins: true }
}

/** The path of a door that this server does not have: callers are told why, in JSON-RPC. */
export function absentDoorPage({ message, hint }: Absence): Page {
  const { code, status } = { code: 'path_not_found', status: 404 }
  return {
    methods: 'all',
    reply(_, { requestId }) {
      const data = { detail: message, code, hint, request_id: requestId }
      return Promise.resolve(rpcReply({ status, message }, data))
    },
  }
}

/** An error in JSON-RPC for a request that was not examined. */
function rpcReply(cause: { status: number; message: string } | Refusal, data: object): Reply {
  const { status, message } = cause
  const more = cause instanceof Refusal ? headersOf(cause) : {}
  const error = { code: status, message, data }
  return {
    status,
    headers: { 'Content-Type': json, 'Cache-Control': 'no-store', ...more },
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
  }
}

/** The body of a request, or what is wrong with it. */
interface SentBody {
  sent: Pick<DoorRequest, 'body' | 'parseError' | 'parseRefusal' | 'rawLength' | 'fault'>
  /** Releases the memory held for it. */
  release?: () => void
}

function requestOf(ctx: Context, arrival: Arrival, body: SentBody['sent']): DoorRequest {
  const { method = '', headers } = ctx.req
  const authorization = authorizationOf(ctx.req)
  return {
    ...arrival,
    ...body,
    method,
    // The only header that Node gives as a list is set-cookie, which requests do not have.
    headers: { ...(headers as Record<string, string | undefined>), authorization },
    query: new URLSearchParams(ctx.querystring),
    signal: goneSignal(ctx.res),
  }
}

/** The door reports a fault of the body, in terms of its protocol. */
async function bodyOf(
  ctx: Context,
  { address }: Arrival,
  { core, intake, spent }: DoorTerms,
): Promise<SentBody> {
  if (ctx.req.method !== 'POST') return { sent: { body: undefined } }
  const { caller, unknown } = await callerOf(ctx, core)
  const limit = spent(caller, address)
  if (limit) return { sent: { body: undefined, fault: overLimitFault(limit) } }
  const reading = intake.reading({ caller, address }, bodyBytesAtMost)
  const release = (): void => reading.hold.release()
  try {
    const { value, size } = await readJson(ctx, reading)
    return { sent: { body: value, rawLength: size }, release }
  } catch (cause) {
    release()
    // A known caller may send more than an anonymous one, and the caller cannot be looked up right now.
    const isTooLarge = cause instanceof Refusal && cause.code === 'payload_too_large'
    return refusedBody(ctx, unknown !== undefined && isTooLarge ? unknown : cause)
  }
}

/** The sender of a request, as far as the headers tell. */
interface SentBy {
  caller?: Caller
  /** Why the caller cannot be determined, although the credential may be valid. */
  unknown?: unknown
}

/** The door refuses invalid credentials and failed look-ups itself, when it looks again. */
async function callerOf({ req }: Context, core: DoorTerms['core']): Promise<SentBy> {
  const credential = credentialOf(req)
  if (credential === undefined) return {}
  try {
    return { caller: await core.identify(credential) }
  } catch (cause) {
    const isNoGood = cause instanceof Refusal && cause.kind !== 'unavailable'
    return isNoGood ? {} : { unknown: cause }
  }
}

function refusedBody(ctx: Context, cause: unknown): SentBody {
  if (cause instanceof Refusal) {
    if (cause.code === 'bad_json') {
      return { sent: { body: undefined, parseError: true, parseRefusal: cause } }
    }
    const { status, message } = cause
    const fault = { status, message, headers: headersOf(cause), refusal: cause }
    return { sent: { body: undefined, fault } }
  }
  if (!(cause instanceof HttpFault)) throw cause
  // The door itself refuses a wrong type; encodings and charsets that cannot be read are refused here.
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

/** The fault without its code: our codes are not those of JSON-RPC. */
function faulty({ status, message, headers }: TransportFault): SentBody {
  return { sent: { body: undefined, fault: { status, message, headers } } }
}

function replyOf({ status, headers, body, parts, secret }: DoorAnswer): Reply {
  const kept: Record<string, string> = { 'cache-control': 'no-store', ...headers }
  if (body instanceof ReadableStream) kept['x-accel-buffering'] = 'no'
  return { status, headers: kept, body, parts, ownOrigins: true, secret: secret === true }
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
