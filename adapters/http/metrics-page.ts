import type { Context } from 'koa'
import { timingSafeEqual } from 'node:crypto'
import { Refusal } from '#src/core/errors.ts'
import { digest } from '#src/core/ids.ts'
import { isLoopback } from './address.ts'
import { credentialOf } from './credentials/bearer.ts'
import type { Page } from './page.ts'

interface Figures {
  text(): Promise<string>
  readonly contentType: string
}

/**
 * The metrics of this process, for callers with the token; without a configured token only for this
 * machine, and not for requests that a proxy on it forwards from elsewhere. @param setting names the token
 */
export function metricsPage(
  figures: Figures,
  token: string | undefined,
  setting = 'ABODE_METRICS_TOKEN',
): Page {
  return {
    methods: ['GET', 'HEAD'],
    async reply(ctx) {
      if (token === undefined) checkLocal(ctx, setting)
      else checkToken(ctx, token, setting)
      const headers = { 'Content-Type': figures.contentType, 'Cache-Control': 'no-store' }
      // Who may ask is told by where they are, and pages of other origins are in their browser.
      return { status: 200, headers, body: await figures.text(), ownOrigins: true }
    },
  }
}

/** Whether a request is from this machine, and from no proxy on it. */
export function isFromHere({ req }: Context): boolean {
  const isLocal = isLoopback(req.socket.remoteAddress ?? '')
  return isLocal && !['x-forwarded-for', 'forwarded', 'via'].some((name) => name in req.headers)
}

function checkLocal(ctx: Context, setting: string): void {
  if (isFromHere(ctx)) return
  throw new Refusal('forbidden', 'The figures are shown on the machine of the service only.', {
    hint: `The operator can set ${setting}.`,
  })
}

function checkToken({ req }: Context, token: string, setting: string): void {
  const sent = credentialOf(req)
  const hint = `Send "Authorization: Bearer" and the token of ${setting}.`
  if (sent === undefined) throw new Refusal('unauthenticated', 'A token is needed here.', { hint })
  // Digests have the same length, so comparing them reveals nothing of the token.
  const isRight = timingSafeEqual(Buffer.from(digest(sent)), Buffer.from(digest(token)))
  if (!isRight) throw new Refusal('invalid_credential', 'This is not the token.', { hint })
}
