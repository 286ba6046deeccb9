import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import type { Answer } from '#src/core/answer.ts'
import {
  statusOfAnswer,
  type Admission,
  type AdmittingCore,
  type Heading,
  type Outcome,
  type Told,
} from '#src/core/door.ts'
import { isShut } from '#src/core/admission/newcomers.ts'
import type { SentSession } from '#src/core/admission/session.ts'
import { understoodHeader } from '#src/core/input/understood.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import {
  bodyBytesAtMost,
  beginsSession,
  isOfCommons,
  readsBody,
} from '#src/core/operation-facts.ts'
import type { Operation, SentSignature } from '#src/core/operation.ts'
import type { Arrival } from './arrival.ts'
import { hasBody } from './body.ts'
import { expectedRevision, revisionTag, textTag } from './conditional.ts'
import { bearerMemberOf, credentialOf } from './credentials/bearer.ts'
import { inputRefused, toldIn } from './credentials/misplaced.ts'
import type { Wording } from './envelope.ts'
import { goneSignal } from './gone.ts'
import { HttpFault } from './errors.ts'
import { inputReader, type Received } from './input.ts'
import type { Intake, Reading } from './intake/intake.ts'
import { jsonLines, wantedOf } from './negotiation.ts'
import { json, type Reply } from './reply.ts'
import { isFromOwnPage, cookieHeader, sessionOf } from './credentials/session.ts'
import { formBytesAtMost, isForm } from './uploads/form.ts'

export type Params = Readonly<Record<string, string>>

/**
 * Serves one operation through the core: nothing is decided here except how HTTP expresses it.
 * @throws HttpFault or Refusal for what is wrong before the core can be called
 */
export type OperationRoute = (ctx: Context, arrival: Arrival, params: Params) => Promise<Reply>

/** What the routes of all operations share. */
export interface RouteTerms {
  core: AdmittingCore
  /** The public URL of the service. */
  publicUrl: () => string
  /** Aborted when the server stops: ends the event streams. */
  draining: AbortSignal
  /** The intake of request bodies. */
  intake: Intake
}

export function operationRoute(
  { core, publicUrl, draining, intake }: RouteTerms,
  op: Operation,
  wording: Wording,
): OperationRoute {
  const read = inputReader(op)
  // Only a long-running operation is told when its caller has gone.
  const takesTime = op.follow !== undefined || 'wait_seconds' in op.input.shape
  const isList = 'next_cursor' in op.output.shape
  const canResume = op.follow !== undefined && 'cursor' in op.input.shape
  return async (ctx, arrival, params) => {
    const { problem, stream, lines } = wantedOf(ctx, op)
    const { credential, session, isKeyed } = callerFrom(ctx, op, publicUrl())
    const { headers } = ctx.req
    const { requestId, address } = arrival
    const replyTo = (outcome: Outcome, input?: unknown): Reply => {
      const { answer: given, refusal } = outcome
      const asked = { requestId, asProblem: problem, document: op.document }
      const reply = given
        ? answerReply(op, given, { text: wording.answer(given, requestId, isList), isKeyed, lines })
        : wording.refusal(toldIn(ctx, op, refusal, input), asked)
      addTold(reply.headers, outcome, op)
      if (given?.session) {
        Object.assign(reply.headers, cookieHeader('session', given.session, publicUrl()))
      }
      return reply
    }
    const heading: Heading = {
      operation: op,
      credential,
      session,
      address,
      userAgent: headers['user-agent'],
      idempotencyKey: headers['idempotency-key']?.toString(),
      expected: op.http.method === 'GET' ? undefined : expectedOf(op, headers['if-match']),
      // HEAD shows nothing of a stream, so none is started.
      follow: stream && ctx.method !== 'HEAD',
      unseen: ctx.method === 'HEAD',
      signal: takesTime ? goneSignal(ctx.res, stream ? draining : undefined) : undefined,
      traceparent: arrival.traceparent,
      requestId,
      words: wording.words,
    }
    const last = stream && canResume ? headers['last-event-id'] : undefined
    const serve = async (admission?: Admission, reading?: Reading): Promise<Reply> => {
      const received = read(ctx, params, reading).catch((cause: unknown) => uninvited(op, cause))
      const { input, bytes } = await received
      const whole = last === undefined ? input : { ...input, cursor: last }
      return replyTo(await core.serve({ ...heading, input: whole, bytes, admission }))
    }
    if (!isShut(op) && !mayBringBody(op, ctx)) return serve()
    // The sender, and whether they may call now, is known before the first byte of the body is kept.
    const signed = signedIn(headers, op, params)
    const admitted = await core.admit({ ...heading, signed })
    if (admitted?.refusal) {
      const from = { intake, address, input: (reading: Reading) => read(ctx, params, reading) }
      return replyTo(admitted, await inputRefused(ctx, admitted.refusal, from))
    }
    const sender = { caller: admitted?.caller, isSigned: admitted?.isSigned, address }
    const reading = intake.reading(sender, bodyBytesOf(op)(ctx))
    return serve(admitted, reading).finally(() => reading.hold.release())
  }
}

/** Whether the request has a body that says something: probes may send anything where any query is taken too. */
function mayBringBody({ http }: Operation, ctx: Context): boolean {
  if (!hasBody(ctx) || ctx.method === 'HEAD') return false
  return readsBody(http)
}

/** A caller without an invitation is told so, even if the body that should carry one is invalid. */
function uninvited(op: Operation, cause: unknown): Received {
  const isRefused = cause instanceof Refusal && cause.kind !== 'unavailable'
  const isOfBody = isRefused || cause instanceof HttpFault
  if (op.signUp === undefined || op.signUp.mode === 'open' || !isOfBody) throw cause
  return { input: {} }
}

/** The size limit of the operation's body: larger for a form with files. */
function bodyBytesOf(op: Operation): (ctx: Context) => number {
  const usual = op.bodyBytes ?? bodyBytesAtMost
  const { files } = op
  if (!files) return () => usual
  return (ctx) => (isForm(ctx) ? formBytesAtMost(files) : usual)
}

/** The signature of the body, which its sender sends in a header, with the parameters of its path. */
function signedIn(
  headers: IncomingHttpHeaders,
  { http }: Operation,
  params: Params,
): SentSignature | undefined {
  if (http.raw !== true) return undefined
  const members = http.signatures ?? ['signature']
  const names = members.flatMap((member) => http.headers?.[member] ?? [])
  const signature = names.map((name) => headers[name.toLowerCase()]?.toString()).find(Boolean)
  return signature === undefined ? undefined : { params, signature }
}

/** The sender of a request. */
interface Sender {
  credential: string | undefined
  session: SentSession | undefined
  /** The request carries a credential of either kind. */
  isKeyed: boolean
}

/**
 * A bearer token takes precedence over the cookie that a browser adds by itself, except where a session
 * begins: there the cookie is replaced.
 * @throws Refusal `origin_mismatch` if a foreign page may have caused a change
 */
function callerFrom({ req }: Context, op: Operation, publicUrl: string): Sender {
  const authorization = beginsSession(op) ? undefined : credentialOf(req)
  const isMember = Object.keys(bearerMemberOf(req, op)).length > 0
  const credential = isMember ? undefined : authorization
  const session = authorization === undefined ? sessionOf(req, publicUrl) : undefined
  const isKeyed = authorization !== undefined || session !== undefined
  const needsOwnPage =
    session !== undefined || (beginsSession(op) && req.headers.origin !== undefined)
  const isChange = op.http.method !== 'GET'
  if (isChange && needsOwnPage && !isFromOwnPage(req, publicUrl)) foreign(publicUrl)
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
  { text, isKeyed, lines }: { text: string; isKeyed: boolean; lines: boolean },
): Reply {
  if (answer.events) return eventsReply(answer.events)
  const isFresh = op.http.method !== 'GET' || op.secret === true
  const reply: Reply = {
    status: statusOfAnswer(op, answer),
    headers: {
      'Content-Type': json,
      // A read may be cached but must be revalidated each time; with a key it is its caller's alone. A
      // read that records what it shows, or makes it for its caller, such as a challenge, is not
      // cached.
      'Cache-Control':
        isFresh || op.marks ? 'no-store' : isKeyed ? 'private, no-cache' : 'no-cache',
    },
    body: text,
    tag: tagOf(answer, isFresh),
    secret: op.secret === true,
  }
  return lines ? asLines(reply, text) : reply
}

/** A list as JSON lines, one item each; the cursor of the next page is in a header. */
function asLines({ tag: _tag, ...reply }: Reply, text: string): Reply {
  // The text of a list, made by this server.
  const { items, next_cursor: next } = JSON.parse(text) as {
    items: unknown[]
    next_cursor: string | null
  }
  return {
    ...reply,
    headers: {
      ...reply.headers,
      'Content-Type': `${jsonLines}; charset=utf-8`,
      ...(next !== null && { 'Next-Cursor': next }),
    },
    body: items.map((item) => `${JSON.stringify(item)}\n`).join(''),
  }
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
      // Proxies that buffer an answer would hold the events back.
      'X-Accel-Buffering': 'no',
    },
    body: events,
  }
}

/** A resource without revisions cannot be expected to have one; `*` only asks whether it exists. */
function expectedOf(op: Operation, ifMatch: string | undefined): number | undefined {
  const expected = expectedRevision(ifMatch)
  if (expected === undefined || !isOfCommons(op)) return expected
  return refuse('revision_mismatch', 'Nothing in the Commons has a revision.', {
    hint: 'Leave If-Match out.',
  })
}

/** The state of the limit, and how the input was understood. */
function addTold(
  headers: Record<string, string>,
  { limit, understood }: Told,
  { document }: Operation,
): void {
  if (limit) addLimit(headers, limit)
  Object.assign(headers, understoodHeader(understood, document))
}

/** The limit's state, in the header fields of the IETF draft on rate limits. */
export function addLimit(headers: Record<string, string>, limit: LimitState): void {
  const { name, count, seconds, remaining, resetSeconds } = limit
  headers['RateLimit-Policy'] = `"${name}";q=${count};w=${seconds}`
  headers['RateLimit'] = `"${name}";r=${remaining};t=${resetSeconds}`
}
