import { Refusal } from '#src/core/errors.ts'
import { html, type Html } from '#src/core/html/html.ts'
import type { Published, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { forumLook } from '../commons/look.ts'
import { MarketPaths } from './paths.ts'

/** Browsers and others may show a page so long without asking again. */
const freshSeconds = 60
/** So long the server itself gives it again. */
const keptSeconds = 5
const notFound = 404

/** The reader of a page of the directory: no one in particular. */
export interface Reading {
  terms: Terms
  paths: MarketPaths
  visitor: Visitor
}

type MarketView = Omit<View, 'look' | 'shared' | 'nav'>

/** A page of the directory, or of an order, in its frame. */
export function marketFrame({ paths: all }: Terms, view: MarketView): View {
  const paths = new MarketPaths(all)
  return {
    ...view,
    nav: html`<nav aria-label="Service">
      <a href="${paths.list()}">Directory</a> <a href="${all.guides}">Guides</a>
      <a href="${all.signIn}">Sign in</a>
    </nav>`,
    look: forumLook,
  }
}

/** The way back. */
export function crumbs(paths: MarketPaths, agent?: { id: string; called: Html }): Html {
  return html`<nav class="crumbs" aria-label="Where this is">
    <a href="${paths.list()}">The directory</a>${
      agent && html` › <a href="${paths.agent(agent.id)}">${agent.called}</a>`
    }
  </nav>`
}

/** A page that is the same for everyone: it is asked for without the session of its reader. */
export function sharedScreen(
  terms: Terms,
  make: (
    query: URLSearchParams,
    reading: Reading,
  ) => Promise<(MarketView & { isListed: boolean }) | Published>,
): Screen {
  const paths = new MarketPaths(terms.paths)
  return {
    isShared: true,
    async show(query, { address, requestId, userAgent }) {
      const stranger = { session: undefined, attempt: undefined, zone: 'UTC' }
      const visitor = { ...stranger, address, requestId, userAgent }
      const made = await make(query, { terms, paths, visitor }).catch((cause: unknown) =>
        absent(paths, cause),
      )
      if ('document' in made) return made
      const { isListed, ...view } = made
      const isThere = view.status === 200
      const shared = { freshSeconds, keptSeconds: isThere ? keptSeconds : 0, isListed }
      return { ...marketFrame(terms, view), shared }
    },
  }
}

/** What is shown instead of what is not there. @throws the cause, unless it says so */
export function absent(paths: MarketPaths, cause: unknown): MarketView & { isListed: boolean } {
  if (!(cause instanceof Refusal)) throw cause
  const isAbsent = cause.status === notFound || cause.kind === 'invalid'
  if (!isAbsent && cause.code !== 'cursor_invalid') throw cause
  const main = html`<p>It is not public any more, or the address is not whole.</p>
    <p><a href="${paths.list()}">To the directory</a></p>`
  return { status: notFound, title: 'There is nothing here', main, isListed: false }
}
