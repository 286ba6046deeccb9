import type { IncomingMessage } from 'node:http'
import Koa, { type Context } from 'koa'
import { leadsToCommons, type Absence } from '#src/core/commons/absence.ts'
import { Refusal } from '#src/core/errors.ts'
import type { AdmittingCore } from '#src/core/door.ts'
import type { Log } from '#src/ports/log.ts'
import { addresses } from './address.ts'
import { arrivalOf, type Arrival } from './arrival.ts'
import { allowOf, optionsReply } from './cors.ts'
import { envelope, isUnderCommons, plain, type Wording } from './envelope.ts'
import { HttpFault } from './errors.ts'
import type { Intake } from './intake/intake.ts'
import { nearestPath } from './nearest-path.ts'
import { faultReply } from './html/fault-page.ts'
import { wantsPage, wantsProblem } from './negotiation.ts'
import { readsOnly, type Guard } from './credentials/local.ts'
import type { Page } from './page.ts'
import type { Reply } from './reply.ts'
import { operationRoutes, type FindOperation } from './routes.ts'
import { send } from './send.ts'

export interface ApplicationOptions {
  core: AdmittingCore
  log: Log
  /** Everything that is no operation, by its path without a final slash. */
  pages: ReadonlyMap<string, Page>
  /** Pages whose address names what they show. */
  pageOf?: (path: string) => Page | undefined
  /** Whether people come to this path by a browser, which is told by a page what is wrong there. */
  isForPeople?: (path: string) => boolean
  /** Networks whose `X-Forwarded-For` counts. */
  trustedProxies: readonly string[]
  /** Where the service is reached from outside, known once it listens. */
  publicUrl: () => string
  /** Where bodies come in. */
  intake: Intake
  /** Keeps pages of the web out, where the server listens for its own machine alone; known then. */
  guard?: () => Guard | undefined
  /** What is said at the addresses of the Commons where there is none. */
  absentCommons?: Absence | undefined
  /** Aborted when the server stops: what is answered then is the last of its connection. */
  draining: AbortSignal
}

/** The REST door with everything else that is served beside it. */
export function application(options: ApplicationOptions): Koa {
  const { core, log, draining, intake } = options
  const networks = addresses(options.trustedProxies)
  const { absentCommons } = options
  const commons = envelope(options.publicUrl, absentCommons && guideToKeys)
  const wordingOf = (path: string): Wording => (isUnderCommons(path) ? commons : plain)
  const { publicUrl } = options
  const find = operationRoutes({ core, publicUrl, draining, intake }, wordingOf)
  const documented = [...pathsOf(core), ...options.pages.keys()]
  const app = new Koa()
  app.on('error', (cause: Error & { code?: string }) => {
    if (isBrokenOff(cause)) log.debug('a connection broke off', { reason: cause.message })
    else log.error('an answer could not be sent to its end', { cause })
  })
  app.use(async (ctx) => {
    const arrival = arrivalOf(ctx.req, networks)
    const reply = await replyTo(ctx, arrival).catch((cause: unknown) =>
      refused(cause, ctx, arrival),
    )
    await send(ctx, arrival, reply, draining.aborted)
    log.debug('answered', {
      method: ctx.req.method,
      // Queries may hold claim tokens.
      path: ctx.path,
      status: reply.status,
      request_id: arrival.requestId,
      traceparent: arrival.traceparent,
    })
  })

  async function replyTo(ctx: Context, arrival: Arrival): Promise<Reply> {
    if (!namesPath(ctx)) throw pathless(ctx)
    const page = pageAt(ctx.path)
    const fault = faultOf(ctx) ?? strangeness(ctx.req, page)
    if (page) return pageReply(page, ctx, arrival, fault)
    if (fault) throw fault
    if (absentCommons && leadsToCommons(bareOf(ctx.path))) throw absent(absentCommons)
    return operationReply(find, ctx, arrival, documented)
  }

  function pageAt(path: string): Page | undefined {
    const bare = bareOf(path)
    return options.pages.get(bare) ?? options.pageOf?.(bare)
  }

  function strangeness(request: IncomingMessage, page: Page | undefined): HttpFault | undefined {
    // Doors look at where a request comes from themselves, and say so in the words of their protocol.
    const guard = page?.methods === 'all' ? undefined : options.guard?.()
    // So do pages at what is filled in on them.
    const isForm = page !== undefined && !readsOnly(request.method)
    return guard?.host(request) ?? (isForm ? undefined : guard?.origin(request))
  }

  function refused(cause: unknown, ctx: Context, arrival: Arrival): Reply {
    const { requestId } = arrival
    const refusal = refusalOf(cause, ctx, arrival)
    if (wantsPage(ctx) && options.isForPeople?.(bareOf(ctx.path))) return faultReply(refusal)
    // The doors in the Commons do not answer in its envelope.
    const wording = pageAt(ctx.path) ? plain : wordingOf(ctx.path)
    return wording.refusal(refusal, { requestId, asProblem: wantsProblem(ctx) })
  }

  function refusalOf(cause: unknown, ctx: Context, { requestId }: Arrival): HttpFault | Refusal {
    if (cause instanceof HttpFault || cause instanceof Refusal) return cause
    log.error('a request failed', { path: ctx.path, request_id: requestId, cause })
    return new Refusal('internal_error', 'The server failed at this request.', {
      hint: `It was logged as ${requestId}.`,
      cause,
    })
  }

  return app
}

/** The path without a final slash. */
function bareOf(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path
}

/** Whether it was the caller who went away. */
function isBrokenOff({ name, code = '' }: Error & { code?: string }): boolean {
  return (
    name === 'AbortError' ||
    ['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE'].includes(code)
  )
}

function pathsOf({ catalog }: AdmittingCore): string[] {
  return catalog.flatMap((op) => [op.http.path, ...(op.http.also ?? [])])
}

/** Whether the request names a path, alone or behind a host; `*` and `http://` do not. */
function namesPath(ctx: Context): boolean {
  try {
    // Koa gives null where there is none, and throws where a host cannot be one.
    return ctx.path.startsWith('/')
  } catch {
    return false
  }
}

/** From here on the request counts as one for the root, so that whatever asks for its path is told one. */
function pathless(ctx: Context): HttpFault {
  ctx.url = '/'
  return new HttpFault('bad_address', 'The request names no path.', {
    hint: 'Begin the address with a slash, as in "GET /health HTTP/1.1".',
  })
}

/** What no route looks at: a Host is required, and every escape in the address must be one. */
function faultOf({ req, path, querystring }: Context): HttpFault | undefined {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    return new HttpFault('bad_request', 'A request of HTTP/1.1 needs a Host header.')
  }
  if (!isEscaped(path) || !isEscaped(querystring)) {
    return new HttpFault('bad_address', 'The address holds a broken percent escape.', {
      hint: 'Escape each part of the address as UTF-8, and a percent sign itself as %25.',
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
  // A door tells of it in the words of its protocol.
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
  documented: readonly string[],
): Promise<Reply> {
  const { method = '' } = ctx.req
  const { reply, methods } = await find(ctx, arrival)
  if (reply) return reply
  if (methods.length === 0) throw notFound(ctx.path, documented)
  if (method === 'OPTIONS') return optionsReply(methods)
  throw notAllowed(method, methods)
}

function notAllowed(method: string, methods: readonly string[]): HttpFault {
  const allow = allowOf(methods)
  return new HttpFault('method_not_allowed', `This address has no ${method}.`, {
    hint: `It answers ${allow}.`,
    headers: { Allow: allow },
  })
}

function notFound(path: string, documented: readonly string[]): HttpFault {
  const meant = nearestPath(path, documented)
  return new HttpFault('path_not_found', 'There is nothing at this address.', {
    hint: meant ? `Did you mean ${meant}? ${whereToLook}` : whereToLook,
  })
}

function absent({ message, hint }: Absence): HttpFault {
  return new HttpFault('path_not_found', message, { hint })
}

/** Where codes are explained on a server without the pages of the Commons. */
const guideToKeys = '/auth.md'

const whereToLook =
  'Every path is listed at /openapi.agent.json and told at /api-reference; /llms.txt is where to begin.'
