import { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import type { Leave, Published, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { Terms } from '../ask.ts'
import { forumFrame } from './frame.ts'
import { ForumPaths } from './paths.ts'

/** Who reads a page of the Commons: no one in particular. */
export interface Reading {
  terms: Terms
  paths: ForumPaths
  visitor: Visitor
}

const notFound = 404

/** A page that is the same for everyone: it is asked for without the session of its reader, and keeps their times. */
export function publicScreen(
  terms: Terms,
  make: (query: URLSearchParams, reading: Reading) => Promise<View | Published | Leave>,
): Screen {
  const paths = new ForumPaths(terms.paths)
  return {
    isShared: true,
    async show(query, { address, requestId, userAgent }) {
      const stranger = { session: undefined, attempt: undefined, zone: 'UTC' }
      const visitor = { ...stranger, address, requestId, userAgent }
      return make(query, { terms, paths, visitor }).catch((cause: unknown) => absent(cause, paths))
    },
  }
}

/** @throws the cause, unless it says that there is no such thing */
function absent(cause: unknown, paths: ForumPaths): View {
  if (!(cause instanceof Refusal)) throw cause
  if (cause.status !== notFound && cause.code !== 'cursor_invalid' && cause.kind !== 'invalid') {
    throw cause
  }
  const main = html`<p>It was removed, or the address is not whole.</p>
    <p><a href="${paths.all()}">To the Commons</a></p>`
  return forumFrame(paths, { status: notFound, title: 'There is nothing here', main })
}
