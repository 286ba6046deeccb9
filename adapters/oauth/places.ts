const charactersAtMost = 2000
const onThisMachine = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/**
 * An address at which codes and tokens are safe on their way: https, or on this machine. Undefined for any
 * other, and for one with a user name, a password or a fragment.
 */
export function safePlace(text: unknown): URL | undefined {
  if (typeof text !== 'string' || text.length > charactersAtMost) return undefined
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return undefined
  const isHere = url.protocol === 'http:' && onThisMachine.test(url.hostname)
  return url.protocol === 'https:' || isHere ? url : undefined
}

/** The address of a well-known document of a place: its path comes after the name (RFC 8615). */
export function wellKnown({ origin, pathname }: URL, name: string): string {
  return `${origin}/.well-known/${name}${pathname === '/' ? '' : pathname}`
}

/** The same where its path comes before the name, as of OpenID. */
export function appended(place: URL, name: string): string {
  return `${withoutSlash(place)}/.well-known/${name}`
}

/** A place whose address may be written with and without its last slash. */
export function withoutSlash({ origin, pathname }: URL): string {
  return origin + pathname.replace(/\/$/, '')
}
