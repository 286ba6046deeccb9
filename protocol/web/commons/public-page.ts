import { html } from '#src/core/html/html.ts'
import type { Leave, Published, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { isAbsence, notFound, publicPage } from '../public-page.ts'
import { forumFrame } from './frame.ts'
import { ForumPaths } from './paths.ts'

/** Who reads a page of the Commons: no one in particular. */
export interface Reading {
  terms: Terms
  paths: ForumPaths
  visitor: Visitor
}

/** A page of the Commons that is the same for everyone. */
export function publicScreen(
  terms: Terms,
  make: (query: URLSearchParams, reading: Reading) => Promise<View | Published | Leave>,
): Screen {
  const paths = new ForumPaths(terms.paths)
  return publicPage((query, visitor) =>
    make(query, { terms, paths, visitor }).catch((cause: unknown) => absent(cause, paths)),
  )
}

/** @throws the cause, unless it says that there is no such thing */
function absent(cause: unknown, paths: ForumPaths): View {
  if (!isAbsence(cause)) throw cause
  const main = html`<p>It was removed, or the address is not whole.</p>
    <p><a href="${paths.all()}">To the Commons</a></p>`
  return forumFrame(paths, { status: notFound, title: 'There is nothing here', main })
}
