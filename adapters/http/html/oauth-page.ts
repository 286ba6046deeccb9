import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'koa'
import { overLimit } from '#src/core/admission/limits-of.ts'
import { noRoom } from '#src/core/admission/space.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import { oauthPaths as paths } from '#src/core/authorization/paths.ts'
import { Refusal } from '#src/core/errors.ts'
import type { View } from '#src/core/html/view.ts'
import type { Arrival } from '../arrival.ts'
import { HttpFault } from '../errors.ts'
import type { Intake } from '../intake/intake.ts'
import type { Page } from '../page.ts'
import type { Reply } from '../reply.ts'
import { faultReply } from './fault-page.ts'
import { readShort } from './form.ts'
import { pageReplyOf } from './layout.ts'

/** What answers at the addresses of the authorization server. */
interface Answering {
  serve(request: {
    req: IncomingMessage
    res: ServerResponse
    path: string
    body: Buffer
    mayIntroduce: () => Promise<boolean>
  }): Promise<{
    status: number
    headers: Record<string, string>
    body?: string | undefined
    view?: View | undefined
  }>
}

/** What is counted: programs that introduce themselves, what waits for a person, codes that they enter, all else. */
export type OauthLimit = 'oauth_clients' | 'oauth_requests' | 'device_codes' | 'oauth'

export interface OauthTerms {
  server: () => Promise<Answering>
  intake: Intake
  /** Counts a request of this address; undefined if it has no limit. */
  count: (address: string, name: OauthLimit) => LimitState | Promise<LimitState> | undefined
  publicUrl: () => string
  /** Whether strangers may store something now. */
  hasRoom: () => boolean
}

const bytesAtMost = 16_384
const discovery = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
const posts: readonly string[] = [
  paths.token,
  paths.register,
  paths.revoke,
  paths.deviceAuthorization,
]
const both: readonly string[] = [paths.device, paths.userinfo]
const resumed = [`${paths.authorize}/`, `${paths.device}/`]

/** The addresses at which the authorization server answers. */
export function oauthPageAt(terms: OauthTerms): (path: string) => Page | undefined {
  return (path) => {
    const methods = methodsAt(path)
    if (!methods) return undefined
    const reply: Page['reply'] = (ctx, arrival) => answered(terms, path, ctx, arrival)
    return { methods, reply: isForPeople(path) ? inPages(reply, terms.publicUrl) : reply }
  }
}

function isForPeople(path: string): boolean {
  return path === paths.authorize || path === paths.device || isResumed(path)
}

/** A browser leads people there, who are told in a page what went wrong. */
function inPages(reply: Page['reply'], publicUrl: () => string): Page['reply'] {
  return async (ctx, arrival) => {
    try {
      return await reply(ctx, arrival)
    } catch (cause) {
      if (!(cause instanceof Refusal || cause instanceof HttpFault)) throw cause
      return faultReply(cause, publicUrl())
    }
  }
}

function methodsAt(path: string): readonly string[] | undefined {
  if (posts.includes(path)) return ['POST']
  if (both.includes(path)) return ['GET', 'POST']
  const isRead = path === paths.authorize || discovery.includes(path) || isResumed(path)
  return isRead ? ['GET', 'HEAD'] : undefined
}

function isResumed(path: string): boolean {
  return resumed.some(
    (folder) => path.startsWith(folder) && !path.slice(folder.length).includes('/'),
  )
}

/** What is kept for strangers there waits for a person. */
const storesFor: readonly string[] = [
  paths.register,
  paths.authorize,
  paths.device,
  paths.deviceAuthorization,
]

function limitOf(path: string, method: string): OauthLimit {
  if (path === paths.register) return 'oauth_clients'
  // Else the codes of others could be guessed.
  if (path === paths.device && method === 'POST') return 'device_codes'
  return storesFor.includes(path) ? 'oauth_requests' : 'oauth'
}

async function answered(
  { server, intake, count, hasRoom, publicUrl }: OauthTerms,
  path: string,
  ctx: Context,
  { address }: Arrival,
): Promise<Reply> {
  const counted = await count(address, limitOf(path, ctx.method))
  if (counted && !counted.admitted) throw overLimit(counted)
  if (storesFor.includes(path) && !hasRoom()) throw noRoom()
  const isSent = ctx.method === 'POST'
  const stranger = { caller: undefined, address }
  const body = isSent ? await readShort(ctx, intake, stranger, bytesAtMost) : Buffer.alloc(0)
  const { req, res } = ctx
  const mayIntroduce = async () => (await count(address, 'oauth_clients'))?.admitted !== false
  const request = { req, res, path, body, mayIntroduce }
  const { view, ...answer } = await (await server()).serve(request)
  if (view) return pageReplyOf({ ...view, status: answer.status }, publicUrl())
  const { headers } = answer
  const isMarkup = headers['content-type']?.startsWith('text/html') === true
  if (!isMarkup) delete headers['content-security-policy']
  headers['cache-control'] ??= 'no-store'
  return { ...answer, ownPolicy: isMarkup, secret: true }
}
