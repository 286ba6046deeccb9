import * as z from 'zod'
import type { MailServer } from '#src/core/settings.ts'
import { wrong, type Read } from './values.ts'

const rule =
  'must be smtp://host:port or smtps://host:port, with a user and a password or without both'
const here = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
const ports = { 'smtp:': 587, 'smtps:': 465 } as const

/** A mail server, and who signs in there. */
export const smtpServer: Read<MailServer> = (text) => {
  const url = /\s/.test(text) ? null : URL.parse(text)
  const scheme = url?.protocol
  if (!url || (scheme !== 'smtp:' && scheme !== 'smtps:')) return wrong(rule, text)
  const { hostname, port, username, password, pathname, search, hash } = url
  const isPlain = (pathname === '' || pathname === '/') && search === '' && hash === ''
  if (!hostname || !isPlain || (username === '') !== (password === '')) return wrong(rule, text)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? ports[scheme] : Number(port),
    isSecure: scheme === 'smtps:',
    isHere: here.test(hostname),
    login: username === '' ? null : { user: decoded(username), password: decoded(password) },
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return wrong(rule, part)
  }
}

/** From whom mails come. */
export const mailAddress: Read<string> = (text) =>
  text.length <= 254 && z.regexes.html5Email.test(text)
    ? text
    : wrong('must be an e-mail address, such as abode@example.org', text)
