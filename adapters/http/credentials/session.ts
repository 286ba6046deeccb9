import type { IncomingMessage } from 'node:http'
import { isToken } from '#src/core/ids.ts'
import type { SentSession, SessionChange } from '#src/core/admission/session.ts'

/** Names the account that a person acts for, if it is not their own. */
const accountHeader = 'abode-account'

/** What a browser keeps: its session, and a sign-in under way at a provider. */
type CookieKind = 'session' | 'sign_in'

/**
 * With the `__Host-` prefix, no other host of the domain, and no page without TLS, can set or read it.
 */
function cookieName(kind: CookieKind, publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}abode_${kind}`
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/** The session of the browser that sent the request. */
export function sessionOf(
  { headers }: IncomingMessage,
  publicUrl: string,
): SentSession | undefined {
  // A cookie that another service of this host set under the same name must not hide our cookie.
  const tokens = cookiesOf(headers.cookie, 'session', publicUrl)
  const token = tokens.find((one) => isToken(one, 'abs')) ?? tokens[0]
  if (token === undefined) return undefined
  return { token, accountId: headers[accountHeader]?.toString() || undefined }
}

/** What the browser has kept of a sign-in at a provider. */
export function attemptOf({ headers }: IncomingMessage, publicUrl: string): string | undefined {
  return cookiesOf(headers.cookie, 'sign_in', publicUrl)[0]
}

/** By whose clocks the browser wants times; UTC for what is no zone. */
export function zoneOf({ headers }: IncomingMessage): string {
  const [sent = ''] = valuesOf(headers.cookie, 'abode_zone')
  return zoneNamed(sent) ?? 'UTC'
}

const zoneForm = /^[A-Za-z0-9+_%-]{1,80}$/

function zoneNamed(sent: string): string | undefined {
  if (!zoneForm.test(sent)) return undefined
  try {
    const timeZone = decodeURIComponent(sent)
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

function cookiesOf(cookie: string | undefined, kind: CookieKind, publicUrl: string): string[] {
  return valuesOf(cookie, cookieName(kind, publicUrl))
}

function valuesOf(cookie: string | undefined, name: string): string[] {
  return (cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.trim().split('=', 2)
    return key === name && value !== '' ? [value] : []
  })
}

/** The header that tells the browser to set or remove the cookie. */
export function cookieHeader(
  kind: CookieKind,
  change: SessionChange,
  publicUrl: string,
): Record<string, string> {
  const [value, age] = change === 'ended' ? ['', 0] : [change.token, change.maxAgeSeconds]
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  const cookie = `${cookieName(kind, publicUrl)}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax`
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
