import { Refusal } from '#src/core/errors.ts'
import type { Leave, Published, Screen, View, Visitor } from '#src/core/html/view.ts'

/** Browsers and others may show a page so long without asking again. */
const freshSeconds = 60
/** So long the server itself gives it again. */
const keptSeconds = 5
/** The status where nothing is at the address. */
export const notFound = 404

/**
 * A page that is the same for everyone: it is asked for without the session of its reader, and keeps their times.
 * @param make makes it for no one in particular
 */
export function publicPage(
  make: (query: URLSearchParams, stranger: Visitor) => Promise<View | Published | Leave>,
): Screen {
  return {
    isShared: true,
    show(query, { address, requestId, userAgent }) {
      const stranger = { session: undefined, attempt: undefined, zone: 'UTC' }
      return make(query, { ...stranger, address, requestId, userAgent })
    },
  }
}

/** How long such a page is kept. @param isListed whether crawlers list it */
export function keptFor(status: number, isListed: boolean): NonNullable<View['shared']> {
  return { freshSeconds, keptSeconds: status === 200 ? keptSeconds : 0, isListed }
}

/** Whether what was asked for a page says that there is nothing at its address. */
export function isAbsence(cause: unknown): boolean {
  if (!(cause instanceof Refusal)) return false
  return cause.status === notFound || cause.kind === 'invalid' || cause.code === 'cursor_invalid'
}
