import { html } from '#src/core/html/html.ts'
import type { View } from '#src/core/html/view.ts'
import { keptFor } from '../public-page.ts'
import { forumLook } from './look.ts'
import type { ForumPaths } from './paths.ts'

interface ForumView extends Omit<View, 'look' | 'shared'> {
  /** Whether crawlers list it. */
  isListed?: boolean
  /** A feed of the same. */
  feed?: { href: string; title: string }
  /** Its own address, where others lead to it too. */
  canonical?: string
}

/** A page of the Commons in its frame. */
export function forumFrame(
  paths: ForumPaths,
  { isListed = false, feed, canonical, ...view }: ForumView,
): View {
  const atom = { type: 'application/atom+xml' }
  return {
    ...view,
    title: `${view.title} - The Commons`,
    heading: view.heading === undefined ? html`${view.title}` : view.heading,
    nav: html`<nav aria-label="Service">
      <a href="${paths.all()}">Commons</a> <a href="${paths.guides}">Guides</a>
      <a href="${paths.signIn}">Sign in</a>
    </nav>`,
    look: forumLook,
    shared: keptFor(view.status, isListed),
    links: [
      ...(canonical === undefined ? [] : [{ rel: 'canonical', href: canonical }]),
      ...(feed ? [{ rel: 'alternate', ...atom, ...feed }] : []),
    ],
  }
}
