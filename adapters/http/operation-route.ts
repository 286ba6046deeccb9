import type { Context } from 'koa'
import type { Answer } from '#src/core/answer.ts'
import type { Core } from '#src/core/call.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import type { LimitState } from '#src/core/limits.ts'
import { refuse } from '#src/core/errors.ts'
import { beginsSession, isOfCommons, type Operation } from '#src/core/operation.ts'
import type { Arrival } from './arrival.ts'
import { expectedRevision, revisionTag, textTag } from './conditional.ts'
import { bearerMemberOf, credentialOf } from './credentials/bearer.ts'
import type { Wording } from './envelope.ts'
import { goneSignal } from './gone.ts'
import { inputReader } from './input.ts'
import { wantedOf } from './negotiation.ts'
import { json, type Reply } from './reply.ts'
import { isFromOwnPage, sessionHeader, sessionOf } from './credentials/session.ts'
import { admitUpload } from './uploads/admission.ts'
import type { Room } from './uploads/room.ts'

export type Params = Readonly<Record<string, string>>

/**
 * Answers one operation, by core alone: nothing is decided here but how HTTP says it.
 * Throws HttpFault or Refusal for what is wrong before the core can be asked.
 */
export type OperationRoute = (ctx: Context, arrival: Arrival, params: Params) => Promise<Reply>

/** What the routes of all operations share. */
export interface RouteTerms {
  core: Core
  /** Where the service is reached from outside. */
  publicUrl: () => string
  /** Aborted when the server stops: ends the streams of events. */
  draining: AbortSignal
  /** What uploads under way may hold. */
  room: Room
}

export function operationRoute(
  { core, publicUrl, draining, room }: RouteTerms,
  op: Operation,
  wording: Wording,
): OperationRoute {
  const read = inputReader(op)
  // Only what takes its time is told when its caller has gone.
  const takesTime = op.follow !== undefined || 'wait_seconds' in op.input.shape
  const isList = 'next_cursor' in op.output.shape
  const canResume = op.follow !== undefined && 'cursor' in op.input.shape
  const answer = async (
    ctx: Context,
    arrival: Arrival,
    params: Params,
    isUnread = false,
  ): Promise<Reply> => {
    const { problem, stream } = wantedOf(ctx, op.follow !== undefined)
    const { credential, session, isKeyed } = callerFrom(ctx, op, publicUrl())
    const { input, bytes } = await read(ctx, params, isUnread)
    const { headers } = ctx.req
    const last = stream && canResume ? headers['last-event-id'] : undefined
    const outcome = await core.serve({
      operation: op,
      input: last === undefined ? input : { ...input, cursor: last },
      bytes,
      credential,
      session,
      address: arrival.address,
      userAgent: headers['user-agent'],
      idempotencyKey: headers['idempotency-key']?.toString(),
      expected: op.http.method === 'GET' ? undefined : expectedOf(op, headers['if-match']),
      follow: stream,
      unseen: ctx.method === 'HEAD',
      signal: takesTime ? goneSignal(ctx.res, stream ? draining : undefined) : undefined,
      traceparent: arrival.traceparent,
      requestId: arrival.requestId,
    })
    const { requestId } = arrival
    const { answer: given, refusal } = outcome
    const reply = given
      ? answerReply(op, given, {
          text: wording.answer(given, requestId, isList),
          isKeyed,
        })
      : wording.refusal(refusal, { requestId, asProblem: problem, document: op.document })
    if (outcome.limit) addLimit(reply.headers, outcome.limit)
    if (given?.session) Object.assign(reply.headers, sessionHeader(given.session, publicUrl()))
    return reply
  }
  if (!op.files) return answer
  return async (ctx, arrival, params) => {
    const { credential, session } = callerFrom(ctx, op, publicUrl())
    const admitted = await admitUpload(ctx, { core, op, room }, credential ?? session)
    if (admitted === 'unread') return answer(ctx, arrival, params, true)
    return answer(ctx, arrival, params).finally(admitted)
  }
}

/** Whom a request comes from. */
interface Sender {
  credential: string | undefined
  session: SentSession | undefined
  /** It came with a credential of either kind. */
  isKeyed: boolean
}

/**
 * A bearer token counts before the cookie that a browser adds by itself, but where a session begins:
 * what the browser keeps is replaced there.
 * @throws Refusal `origin_mismatch` where a page of others may have had a change sent
 */
function callerFrom({ req }: Context, op: Operation, publicUrl: string): Sender {
  const authorization = beginsSession(op) ? undefined : credentialOf(req)
  const isMember = Object.keys(bearerMemberOf(req, op)).length > 0
  const credential = isMember ? undefined : authorization
  const session = authorization === undefined ? sessionOf(req, publicUrl) : undefined
  const isKeyed = authorization !== undefined || session !== undefined
  const mustBeOurs =
    session !== undefined || (beginsSession(op) && req.headers.origin !== undefined)
  const isChange = op.http.method !== 'GET'
  if (isChange && mustBeOurs && !isFromOwnPage(req, publicUrl)) foreign(publicUrl)
  return { credential, session, isKeyed }
}

function foreign(publicUrl: string): never {
  return refuse('origin_mismatch', 'A change by a session must come from a page of this service.', {
    hint: `Send "Origin: ${new URL(publicUrl).origin}", or an API key instead of the cookie.`,
  })
}

function answerReply(
  op: Operation,
  answer: Answer,
  { text, isKeyed }: { text: string; isKeyed: boolean },
): Reply {
  if (answer.events) return eventsReply(answer.events)
  const isFresh = op.http.method !== 'GET' || op.secret === true
  return {
    status: statusOf(op, answer),
    headers: {
      'Content-Type': json,
      // A read may be kept, but must be asked about each time; what a key opens is its holder's alone.
      'Cache-Control': isFresh ? 'no-store' : isKeyed ? 'private, no-cache' : 'no-cache',
    },
    body: text,
    tag: tagOf(answer, isFresh),
    secret: op.secret === true,
  }
}

function statusOf(op: Operation, { pending, preview }: Answer): number {
  if (pending) return 202
  return preview ? 200 : (op.http.status ?? 200)
}

function tagOf(answer: Answer, isFresh: boolean) {
  if (answer.revision !== undefined) return revisionTag(answer.revision)
  return isFresh ? undefined : textTag(answer.text)
}

function eventsReply(events: NonNullable<Answer['events']>): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies that gather an answer before they pass it on would hold the events back.
      'X-Accel-Buffering': 'no',
    },
    body: events,
  }
}

/** What has no revision cannot be expected to have one; `*` only asks that it is there. */
function expectedOf(op: Operation, ifMatch: string | undefined): number | undefined {
  const expected = expectedRevision(ifMatch)
  if (expected === undefined || !isOfCommons(op)) return expected
  return refuse('revision_mismatch', 'Nothing in the Commons has a revision.', {
    hint: 'Leave If-Match out.',
  })
}

/** The limit's state as the IETF draft on rate limit header fields spells it. */
export function addLimit(headers: Record<string, string>, limit: LimitState): void {
  const { name, count, seconds, remaining, resetSeconds } = limit
  headers['RateLimit-Policy'] = `"${name}";q=${count};w=${seconds}`
  headers['RateLimit'] = `"${name}";r=${remaining};t=${resetSeconds}`
}
