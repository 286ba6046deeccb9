import type { IncomingHttpHeaders } from 'node:http'
import Koa, { type Context } from 'koa'
import { leadsToCommons, type Absence } from '#src/core/commons/absence.ts'
import { signUpOf, wayToKey } from '#src/core/admission/sign-up.ts'
import { inPaths } from '#src/core/words/doors.ts'
import { Signpost } from '#src/core/words/signpost.ts'
import type { AdmittingCore } from '#src/core/door.ts'
import type { Log } from '#src/ports/log.ts'
import { hintFor } from '#src/core/commons/codes.ts'
import { addresses } from './address.ts'
import { arrivalOf, type Arrival, type RefusedRequest } from './arrival.ts'
import { allowOf, optionsReply } from './cors.ts'
import { envelope, isUnderCommons, plain, type Wording } from './envelope.ts'
import { HttpFault, isBrokenOff, nothingAt, refusalOfFailure } from './errors.ts'
import type { Intake } from './intake/intake.ts'
import { documentMeant, isOfOAuth, nearestPath } from './nearest-path.ts'
import { faultReply } from './html/fault-page.ts'
import { wantsPage, wantsProblem } from './negotiation.ts'
import { checkAudience, withMetadata } from './credentials/audience.ts'
import { hostsNamed, readsOnly, type Guard } from './credentials/local.ts'
import type { Page } from './page.ts'
import { probePaths, probesOf } from './probe-pages.ts'
import type { Reply } from './reply.ts'
import { operationRoutes, type FindOperation } from './routes.ts'
import { send } from './send.ts'

export interface ApplicationOptions {
  core: AdmittingCore
  log: Log
  /** Everything that is not an operation, by its path without a final slash. */
  pages: ReadonlyMap<string, Page>
  /** Pages whose path names what they show. */
  pageOf?: (path: string) => Page | undefined
  /** Networks whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[]
  /** The public URL of the service, known once it listens. */
  publicUrl: () => string
  /** The intake of request bodies. */
  intake: Intake
  /** Keeps web pages out if the server listens on its own machine only; known once it listens. */
  guard?: () => Guard | undefined
  /** The answer at the addresses of the Commons if it is off. */
  absentCommons?: Absence | undefined
  /** Aborted when the server stops: answers from then on close their connections. */
  draining: AbortSignal
  /** Told of each request that met no operation. */
  refused?: (fault: { status: number; code: string }, about: RefusedRequest) => void
  /** Answers a request as a part of the trace that its headers name. */
  within?: <T>(headers: IncomingHttpHeaders, work: () => T) => T
}

/** The REST door, and everything else that is served alongside it. */
export function application(options: ApplicationOptions): Koa {
  const { core, log, draining, intake } = options
  const networks = addresses(options.trustedProxies)
  const { absentCommons } = options
  const { usual, commons } = wordings(options)
  const wordingOf = (path: string): Wording => (isUnderCommons(path) ? commons : usual)
  const { publicUrl } = options
  const find = operationRoutes({ core, publicUrl, draining, intake }, wordingOf)
  const posts = postsOf(options)
  const probes = probedPaths(core)
  const app = loggingKoa(log)
  app.use(async (ctx) => {
    const begun = performance.now()
    const arrival = arrivalOf(ctx.req, networks)
    let reply: Reply
    try {
      const answer = (): Promise<Reply> => replyTo(ctx, arrival)
      reply = await (options.within ? options.within(ctx.req.headers, answer) : answer())
    } catch (cause) {
      reply = refused(cause, ctx, arrival, begun)
    }
    await send(ctx, arrival, withMetadata(reply, ctx.path, publicUrl()), draining.aborted)
    log.debug('answered', {
      method: ctx.req.method,
      // Query strings may hold claim tokens.
      path: ctx.path,
      status: reply.status,
      request_id: arrival.requestId,
      traceparent: arrival.traceparent,
    })
  })

  async function replyTo(ctx: Context, arrival: Arrival): Promise<Reply> {
    if (!namesPath(ctx)) throw pathless(ctx)
    const page = pageAt(ctx.path)
    const fault = faultOf(ctx) ?? strangeness(ctx, page)
    if (page) return pageReply(page, ctx, arrival, fault)
    if (fault) throw fault
    if (absentCommons && leadsToCommons(bareOf(ctx.path))) throw absent(absentCommons)
    await checkAudience(ctx, core, publicUrl())
    return operationReply(find, ctx, arrival, posts)
  }

  function pageAt(path: string): Page | undefined {
    const bare = bareOf(path)
    return options.pages.get(bare) ?? options.pageOf?.(bare)
  }

  function strangeness({ req, path }: Context, page: Page | undefined): HttpFault | undefined {
    // Doors check where a request comes from themselves, and refuse in terms of their protocol.
    const guard = page?.methods === 'all' ? undefined : options.guard?.()
    // So do pages with the forms that they receive.
    const isForm = page !== undefined && !readsOnly(req.method)
    return guard?.host(req, probes.has(bareOf(path))) ?? (isForm ? undefined : guard?.origin(req))
  }

  function refused(cause: unknown, ctx: Context, arrival: Arrival, begun: number): Reply {
    const { requestId } = arrival
    const refusal = refusalOf(cause, { log, path: ctx.path, requestId })
    options.refused?.(refusal, { requestId, seconds: (performance.now() - begun) / 1000 })
    if (wantsPage(ctx) && isForPeople(ctx.path)) return faultReply(refusal, publicUrl())
    // The doors of the Commons do not answer in its envelope.
    const wording = pageAt(ctx.path) ? usual : wordingOf(ctx.path)
    return wording.refusal(refusal, { requestId, asProblem: wantsProblem(ctx) })
  }

  return app
}

function refusalOf(cause: unknown, about: Parameters<typeof refusalOfFailure>[1]) {
  return cause instanceof HttpFault ? cause : refusalOfFailure(cause, about)
}

/** How answers are worded outside of the Commons, and in it. */
function wordings({ core, publicUrl, absentCommons }: ApplicationOptions) {
  const words = inPaths(core.catalog)
  const commons = envelope(words, publicUrl, absentCommons && guideToKeys)
  return { usual: plain(words), commons }
}

/** An application that logs what it meets while it sends. */
function loggingKoa(log: Log): Koa {
  return new Koa().on('error', (cause: Error & { code?: string }) => {
    if (isBrokenOff(cause)) log.debug('a connection broke off', { reason: cause.message })
    else log.error('an answer could not be sent to its end', { cause })
  })
}

/** Whether people may visit this path in a browser, so that errors are shown as a page. */
function isForPeople(path: string): boolean {
  return !/^\/(?:api|mcp|a2a|\.well-known)(?:\/|$)/.test(path)
}

/** The path without a final slash. */
function bareOf(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function pathsOf({ catalog }: AdmittingCore): string[] {
  return catalog.flatMap((op) => [op.http.path, ...(op.http.also ?? [])])
}

function probedPaths(core: AdmittingCore): ReadonlySet<string> {
  return new Set([...probePaths, ...probesOf(core).map(({ http }) => http.path)])
}

/** Whether the request names a path, alone or after a host; `*` and `http://` do not. */
function namesPath(ctx: Context): boolean {
  try {
    // Koa returns null if there is none, and throws if a host is impossible.
    return ctx.path.startsWith('/')
  } catch {
    return false
  }
}

/** From here on the request counts as one for the root, so that code that asks for its path gets one. */
function pathless(ctx: Context): HttpFault {
  ctx.url = '/'
  return new HttpFault('bad_address', 'The request names no path.', {
    hint: 'Begin the address with a slash, as in "GET /health HTTP/1.1".',
  })
}

/** Checks that no route makes: one Host header is required, and every escape in the URL must be valid. */
function faultOf({ req, path, querystring }: Context): HttpFault | undefined {
  const hosts = hostsNamed(req)
  if (hosts === 0 && req.httpVersion === '1.1') {
    return new HttpFault('bad_request', 'A request of HTTP/1.1 needs a Host header.')
  }
  // Two readers of such a request could each follow another one.
  if (hosts > 1) return new HttpFault('bad_request', 'A request has one Host header, not several.')
  if (!isEscaped(path) || !isEscaped(querystring)) {
    return new HttpFault('bad_address', 'The address holds a broken percent escape.', {
      hint: hintFor('bad_address'),
    })
  }
  return undefined
}

function isEscaped(text: string): boolean {
  if (!text.includes('%')) return true
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

async function pageReply(
  page: Page,
  ctx: Context,
  arrival: Arrival,
  fault: HttpFault | undefined,
): Promise<Reply> {
  const { method = '' } = ctx.req
  // A door reports it in terms of its protocol.
  if (page.methods === 'all') return page.reply(ctx, arrival, fault)
  if (fault) throw fault
  if (method === 'OPTIONS') return optionsReply(page.methods)
  if (page.methods.includes(method)) return page.reply(ctx, arrival)
  throw notAllowed(method, page.methods)
}

async function operationReply(
  find: FindOperation,
  ctx: Context,
  arrival: Arrival,
  posts: Posts,
): Promise<Reply> {
  const { method = '' } = ctx.req
  const { reply, methods, calls } = await find(ctx, arrival)
  if (reply) return reply
  if (methods.length === 0) throw notFound(method, ctx.path, posts)
  if (method === 'OPTIONS') return optionsReply(methods)
  const meant = posts.signpost.callMeant(method, ctx.path, true)
  throw notAllowed(method, methods, [...new Set([...(meant ? [meant] : []), ...(calls ?? [])])])
}

/** @param calls of the address, and the one that is meant, as references; pages have none */
function notAllowed(
  method: string,
  methods: readonly string[],
  calls: readonly string[] = [],
): HttpFault {
  const allow = allowOf(methods)
  return new HttpFault('method_not_allowed', `This address has no ${method}.`, {
    hint: calls.length > 0 ? `These there are: ${calls.join(', ')}.` : `It answers ${allow}.`,
    headers: { Allow: allow },
  })
}

/** The address that is spelled like this one: as a call, or a page alone. */
function nearestCall(
  method: string,
  path: string,
  { documented, signpost }: Posts,
): string | undefined {
  const known = nearestPath(path, documented)
  return known && (signpost.callAt(method, known, path) ?? known)
}

/** What leads from addresses at which nothing is. */
interface Posts {
  documented: readonly string[]
  signpost: Signpost
  /** How to get a key, and where it goes. */
  keys: string
}

function postsOf({ core, pages }: ApplicationOptions): Posts {
  const keys = wayToKey(signUpOf(core.catalog))
  return {
    documented: [...pathsOf(core), ...pages.keys()],
    signpost: new Signpost(core.catalog),
    keys,
  }
}

function notFound(method: string, path: string, { documented, signpost, keys }: Posts): HttpFault {
  if (isOfOAuth(path)) return nothingAt(`${placesOfOAuth} ${keys} /auth.md tells more.`)
  const meant =
    documentMeant(path) ??
    signpost.callMeant(method, path, true) ??
    nearestCall(method, path, { documented, signpost, keys }) ??
    signpost.callMeant(method, path, false)
  return nothingAt(meant ? `Did you mean ${meant}? ${whereToLook}` : whereToLook)
}

function absent({ message, hint }: Absence): HttpFault {
  return new HttpFault('path_not_found', message, { hint })
}

const placesOfOAuth =
  'The addresses of OAuth are named at /.well-known/oauth-authorization-server; agents need none of it.'

/** The page that explains codes on a server without the pages of the Commons. */
const guideToKeys = '/auth.md'

const whereToLook =
  'Every path is listed at /openapi.agent.json and told at /api-reference; /llms.txt is where to begin.'
