import type { Context } from 'koa'
import { overLimit } from '#src/core/admission/limits-of.ts'
import { Refusal } from '#src/core/errors.ts'
import { pathBelow } from '#src/core/html/below.ts'
import { html } from '#src/core/html/html.ts'
import type { Download, Leave, Published, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { LimitState } from '#src/core/admission/limits.ts'
import { Unavailable } from '#src/ports/store.ts'
import { HttpFault } from '../errors.ts'
import type { Intake } from '../intake/intake.ts'
import { addLimit } from '../operation-route.ts'
import type { Page } from '../page.ts'
import type { Reply } from '../reply.ts'
import { attemptOf, cookieHeader, sessionOf, zoneOf } from '../credentials/session.ts'
import { textTag } from '../conditional.ts'
import { faultReply } from './fault-page.ts'
import { isOwnForm, withForm, type SentForm } from './form.ts'
import type { KeptReplies } from './kept-replies.ts'
import { pageReplyOf } from './layout.ts'

export interface ScreenTerms {
  /** Counts a read of this address; undefined if reads have no limit. */
  count: (address: string) => LimitState | Promise<LimitState> | undefined
  publicUrl: () => string
  /** Where pages that are the same for everyone are kept; absent where there are none. */
  kept?: KeptReplies
  /** The intake of forms. */
  intake: Intake
}

/** A page that people see, and what its forms do. It reports errors in its own words. */
export function screenPage(screen: Screen, terms: ScreenTerms): Page {
  const { count, publicUrl, kept } = terms
  const { submit } = screen
  return {
    methods: submit ? ['GET', 'HEAD', 'POST'] : ['GET', 'HEAD'],
    async reply(ctx, arrival) {
      const { address, requestId } = arrival
      const counted: Record<string, string> = {}
      const visitor: Visitor = {
        session: sessionOf(ctx.req, publicUrl()),
        attempt: attemptOf(ctx.req, publicUrl()),
        address,
        userAgent: ctx.req.headers['user-agent'],
        zone: zoneOf(ctx.req),
        requestId,
      }
      const answered = (answer: Answer, headers: Record<string, string>): Reply => {
        if ('document' in answer) return publishedReply(answer)
        if ('pieces' in answer) return downloadReply(answer)
        const { session, attempt } = answer
        const begun = attempt && cookieHeader('sign_in', attempt, publicUrl())
        const kept = session && cookieHeader('session', session, publicUrl())
        return replyOf(answer, publicUrl(), { ...headers, ...begun, ...kept })
      }
      try {
        const limit = await count(address)
        if (limit && !limit.admitted) throw overLimit(limit)
        if (limit) addLimit(counted, limit)
        if (!submit || ctx.req.method !== 'POST') {
          const make = () => screen.show(new URLSearchParams(ctx.querystring), visitor)
          if (!screen.isShared || !kept) return answered(await make(), counted)
          const made = async () => {
            const answer = await make()
            return { reply: answered(answer, {}), seconds: sharedOf(answer)?.keptSeconds ?? 0 }
          }
          const reply = await kept.replyTo(`${ctx.path}?${ctx.querystring}`, made)
          return { ...reply, headers: { ...reply.headers, ...counted } }
        }
        return answered(await submitted(ctx, { ...screen, submit }, visitor, terms), counted)
      } catch (cause) {
        return replyOfFault(cause, publicUrl())
      }
    },
  }
}

type Answer = View | Leave | Published | Download

function sharedOf(answer: Answer): View['shared'] {
  return 'shared' in answer ? answer.shared : undefined
}

function publishedReply({ document, type, shared }: Published): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      'Cache-Control': `public, max-age=${shared.freshSeconds}`,
      ...(!shared.isListed && { 'X-Robots-Tag': 'noindex' }),
    },
    body: document,
    tag: textTag(document),
  }
}

function downloadReply({ pieces, type, name }: Download): Reply {
  return {
    status: 200,
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
    body: ReadableStream.from(encoded(pieces)),
  }
}

async function* encoded(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

async function submitted(
  ctx: Context,
  { submit, sender, ...bounds }: Screen & { submit: NonNullable<Screen['submit']> },
  visitor: Visitor,
  { publicUrl, intake }: ScreenTerms,
): Promise<View | Leave> {
  if (!isOwnForm(ctx, publicUrl(), visitor.session !== undefined)) {
    const main = html`<p>The form was sent by a page of another site. Nothing was done.</p>`
    return { status: 403, title: 'Not from here', main }
  }
  const from = { caller: await sender?.(visitor), address: visitor.address }
  const isStranger = sender !== undefined && from.caller === undefined
  const use = ({ fields, files }: SentForm) => submit(fields, visitor, files)
  return withForm(ctx, intake, from, bounds, use).catch((cause: unknown) => {
    const isTooLong = cause instanceof Refusal && cause.code === 'payload_too_large'
    if (isStranger && isTooLong) return tooLongToKeep(publicUrl())
    throw cause
  })
}

/** A form whose session ended meanwhile is kept in a page, unless it is too long for what strangers may send. */
function tooLongToKeep(publicUrl: string): View {
  const signIn = pathBelow(publicUrl, '/sign-in')
  const main = html`<p>
      You are not signed in any more, and what you had typed is too long to be kept here meanwhile.
      Nothing was sent.
    </p>
    <p>
      <a href="${signIn}" target="_blank">Sign in in another tab</a>, then go back in this one: your
      browser still has what you had typed. Send it again.
    </p>`
  return { status: 413, title: 'Sign in again', main }
}

function replyOf(answer: View | Leave, publicUrl: string, headers: Record<string, string>): Reply {
  if ('main' in answer) return pageReplyOf(answer, publicUrl, headers)
  const title = 'Go on'
  const main = html`<p><a href="${answer.goTo}">Go on</a></p>`
  const view = { status: 303, title, main }
  return pageReplyOf(view, publicUrl, { ...headers, Location: answer.goTo })
}

/** A refusal of the request, or of the moment; anything else is an internal error. */
function replyOfFault(cause: unknown, publicUrl: string): Reply {
  if (cause instanceof Unavailable) {
    const main = html`<p>
      The service could not finish this. Load the page again in a moment: it shows how things stand.
    </p>`
    const view = { status: 503, title: 'One moment', main, retryAfterSeconds: 2 }
    return pageReplyOf(view, publicUrl)
  }
  if (!(cause instanceof HttpFault || cause instanceof Refusal)) throw cause
  return faultReply(cause, publicUrl)
}
