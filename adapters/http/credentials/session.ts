import type { IncomingMessage } from 'node:http'
import { isToken } from '#src/core/ids.ts'
import type { SentSession, SessionChange } from '#src/core/admission/session.ts'

/** Names the account that a person acts for, if it is not their own. */
const accountHeader = 'abode-account'

/**
 * With the `__Host-` prefix, no other host of the domain, and no page without TLS, can set or read it.
 */
function cookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-abode_session' : 'abode_session'
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** The session of the browser that sent the request. */
export function sessionOf(
  { headers }: IncomingMessage,
  publicUrl: string,
): SentSession | undefined {
  const { cookie, [accountHeader]: account } = headers
  if (cookie === undefined) return undefined
  const name = cookieName(publicUrl)
  const tokens = cookie.split(';').flatMap((pair) => {
    const [key = '', token = ''] = pair.trim().split('=', 2)
    return key === name && token !== '' ? [token] : []
  })
  // A cookie that another service of this host set under the same name must not hide our cookie.
  const token = tokens.find((one) => isToken(one, 'abs')) ?? tokens[0]
  if (token === undefined) return undefined
  return { token, accountId: account?.toString() || undefined }
}

/** The header that tells the browser to set or remove the cookie. */
export function sessionHeader(change: SessionChange, publicUrl: string): Record<string, string> {
  const [value, age] = change === 'ended' ? ['', 0] : [change.token, change.maxAgeSeconds]
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  const cookie = `${cookieName(publicUrl)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax`
  return { 'Set-Cookie': cookie + secure }
}

/**
 * Whether one of our pages sent it, as the browser says: cookies are sent even when a foreign page made
 * the request. A server may have several names, and the cookie belongs to the one that the browser
 * used; but with TLS, a page loaded without it may be from anyone.
 */
export function isFromOwnPage({ headers }: IncomingMessage, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (origin === undefined || site === 'cross-site' || site === 'same-site') return false
  if (origin === new URL(publicUrl).origin) return true
  const schemes = isSecure(publicUrl) ? ['https'] : ['http', 'https']
  return host !== undefined && schemes.some((scheme) => origin === `${scheme}://${host}`)
}
