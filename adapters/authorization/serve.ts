import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type Provider from 'oidc-provider'
import { oauthPaths as paths } from '#src/core/authorization/paths.ts'
import { usualScopes } from '#src/core/authorization/scopes.ts'
import type { View } from '#src/core/html/view.ts'
import { isInPlaceOfSecret } from './artifacts.ts'
import { objectionTo, registration } from './clients.ts'
import { viewOf } from './configuration.ts'

/** A request for the authorization server, whose body was read. */
export interface OauthRequest {
  req: IncomingMessage
  res: ServerResponse
  path: string
  body: Buffer
  /** Counts that the network of the request introduces a program, and says whether it may. */
  mayIntroduce: () => Promise<boolean>
}

/** Its answer; cookies are set at the response itself. */
export interface OauthAnswer {
  status: number
  headers: Record<string, string>
  body?: string | undefined
  /** A page, in place of a body. */
  view?: View | undefined
}

/** Answers a request by the library. */
export async function serve(
  provider: Provider,
  publicUrl: string,
  request: OauthRequest,
): Promise<OauthAnswer> {
  const { path, body, res } = request
  const refused = path === paths.register ? objectionTo(jsonIn(body)) : undefined
  if (refused !== undefined) {
    const error = { error: 'invalid_redirect_uri', error_description: refused }
    return jsonAnswer(400, error)
  }
  const inner = provider.createContext(requestAs(request, publicUrl), res)
  inner.state['mayIntroduce'] = request.mayIntroduce
  res.setHeader('Content-Security-Policy', scriptPolicy)
  const [respond] = provider.middleware
  await respond?.(inner, () => Promise.resolve())
  return answerOf(inner)
}

/** Only a form that sends itself on has a script, whose hash the library adds. */
const scriptPolicy =
  "default-src 'none'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/**
 * The request as the library reads it: with its body, and without what is not its affair. All addresses that it makes
 * begin as that of the request, so it is told of one at the public URL, whichever proxy is before it.
 */
function requestAs({ req, path, body: sent }: OauthRequest, publicUrl: string): IncomingMessage {
  const { host, protocol, pathname } = new URL(publicUrl)
  const { cookie, 'x-forwarded-host': _named, ...headers } = req.headers
  const place = { host, 'x-forwarded-proto': protocol.slice(0, -1) }
  const query = queryOf(req.url ?? '')
  const body = bodyFor(path, query, sent)
  const length = body.length === 0 ? {} : { 'content-length': String(body.length) }
  const cookies = cookie === undefined ? {} : { cookie: cookiesFor(path, cookie) }
  return Object.create(req, {
    url: { value: path + (path === paths.authorize ? withScope(query) : query) },
    baseUrl: { value: pathname === '/' ? '' : pathname },
    headers: { value: { ...headers, ...place, ...length, ...cookies } },
    readable: { value: true },
    iterator: { value: () => Readable.from(body.length === 0 ? [] : [body]) },
  }) as IncomingMessage
}

/** All from its first question mark on. */
function queryOf(address: string): string {
  const begin = address.indexOf('?')
  return begin === -1 ? '' : address.slice(begin)
}

/** A program that names no scope asks for the usual ones. */
function withScope(query: string): string {
  const asked = new URLSearchParams(query)
  const named = asked.get('scope')?.split(' ') ?? []
  if (named.some((scope) => scope !== 'openid' && scope !== 'offline_access')) return query
  asked.set('scope', [...named, ...usualScopes].join(' '))
  return `?${asked.toString()}`
}

/** A person decides at each request, so the library is not told of one before. A device's form needs its own. */
function cookiesFor(path: string, cookies: string): string {
  if (path === paths.device) return cookies
  return cookies
    .split(';')
    .filter((one) => !one.trim().startsWith('abode_oauth='))
    .join(';')
}

function bodyFor(path: string, query: string, sent: Buffer): Buffer {
  if (path === paths.register) {
    const metadata = jsonIn(sent)
    return metadata === undefined ? sent : Buffer.from(JSON.stringify(registration(metadata)))
  }
  if (path !== paths.token && path !== paths.deviceAuthorization) return sent
  const form = new URLSearchParams(sent.toString())
  // What stands in place of a secret within the server is nothing that a program may send.
  const codes = [...form.entries()].filter(([, value]) => isInPlaceOfSecret(value))
  for (const [name] of codes) form.set(name, 'none')
  const isChanged = path === paths.deviceAuthorization && addsUsual(form, query)
  return isChanged || codes.length > 0 ? Buffer.from(form.toString()) : sent
}

/**
 * A device that names no scope asks for the usual ones. Its resource may also stand in the address, where cards name it.
 * @returns whether anything was added
 */
function addsUsual(form: URLSearchParams, query: string): boolean {
  const resource = new URLSearchParams(query).get('resource')
  const added = [
    ['scope', usualScopes.join(' ')],
    ['resource', resource],
  ] as const
  const lacking = added.filter(([name, value]) => value !== null && !form.has(name))
  for (const [name, value] of lacking) form.set(name, value ?? '')
  return lacking.length > 0
}

function jsonIn(sent: Buffer): unknown {
  try {
    return JSON.parse(sent.toString())
  } catch {
    // The library says so.
    return undefined
  }
}

function jsonAnswer(status: number, body: unknown): OauthAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers, body: JSON.stringify(body) }
}

/** What the library has set on its context. */
function answerOf(inner: ReturnType<Provider['createContext']>): OauthAnswer {
  const { res, status, body } = inner
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(res.getHeaders())) {
    if (name === 'set-cookie') continue
    res.removeHeader(name)
    if (!isSetForAll(name) && value !== undefined) headers[name] = String(value)
  }
  const view = viewOf(inner as { state: Record<string, unknown> })
  if (view) return { status: Math.max(status, view.status), headers: {}, view }
  return { status, headers, body: textOf(body) }
}

/** These are set for every answer of this service. */
function isSetForAll(name: string): boolean {
  return name.startsWith('access-control-') || name === 'vary' || name === 'content-length'
}

function textOf(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined
  return typeof body === 'string' ? body : JSON.stringify(body)
}
