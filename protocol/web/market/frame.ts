import { html, type Html } from '#src/core/html/html.ts'
import type { Published, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { forumLook } from '../commons/look.ts'
import { isAbsence, keptFor, notFound, publicPage } from '../public-page.ts'
import { MarketPaths } from './paths.ts'

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

/** A page of the directory that is the same for everyone. */
export function publicScreen(
  terms: Terms,
  make: (
    query: URLSearchParams,
    reading: Reading,
  ) => Promise<(MarketView & { isListed: boolean }) | Published>,
): Screen {
  const paths = new MarketPaths(terms.paths)
  return publicPage(async (query, visitor) => {
    const made = await make(query, { terms, paths, visitor }).catch((cause: unknown) =>
      absent(paths, cause),
    )
    if ('document' in made) return made
    const { isListed, ...view } = made
    return { ...marketFrame(terms, view), shared: keptFor(view.status, isListed) }
  })
}

/** What is shown instead of what is not there. @throws the cause, unless it says so */
export function absent(paths: MarketPaths, cause: unknown): MarketView & { isListed: boolean } {
  if (!isAbsence(cause)) throw cause
  const main = html`<p>It is not public any more, or the address is not whole.</p>
    <p><a href="${paths.list()}">To the directory</a></p>`
  return { status: notFound, title: 'There is nothing here', main, isListed: false }
}
