import { matchAt, placesOf, type Span } from './found.ts'
import { isGenerated, isUsualPassword, readable } from './random.ts'

const begin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const beginLength = 60
const lookedAtMost = 600

/** Private keys in PEM, with real line breaks or with `\n`. */
export function privateKeysIn(text: string): Span[] {
  const found: Span[] = []
  for (const at of placesOf('PRIVATE KEY', text)) {
    const near = Math.max(0, at - beginLength)
    const from = near + text.slice(near, at).lastIndexOf('-----BEGIN')
    const header = from >= near ? matchAt(begin, text, from) : null
    if (!header) continue
    const start = from + header[0].length
    const [body = ''] = text.slice(start, start + lookedAtMost).split('-----END', 1)
    // The key begins with a long line of base64, in some files after headers and lines of a quotation.
    const line = /[A-Za-z0-9+/=]{56,}/.exec(body)?.[0]
    if (line === undefined || new Set(line).size < 12) continue
    const isGoogle = text.includes('"service_account"')
    const kind = isGoogle ? 'google_service_account' : 'private_key'
    found.push({ kind, at: from, end: start + body.length })
  }
  return found
}

const bearer = /earer[ \t]{1,8}([\w.~+/=-]{20,1000})/iy
const basic = /asic[ \t]{1,8}([A-Za-z0-9+/]{8,400}={0,2})/iy

/** Credentials in headers: after the word Bearer, and after Basic in an Authorization header. */
export function headersIn(text: string): Span[] {
  const found: Span[] = []
  const add = (kind: string, at: number, { 0: whole, 1: value = '' }: RegExpExecArray): void => {
    const end = at + whole.length
    found.push({ kind, at: end - value.length, end })
  }
  for (const at of [...placesOf('earer', text), ...placesOf('EARER', text)]) {
    const match = /[Bb]/.test(text[at - 1] ?? '') ? matchAt(bearer, text, at) : null
    if (match && isGenerated(match[1] ?? '')) add('bearer_token', at, match)
  }
  for (const at of [...placesOf('asic', text), ...placesOf('ASIC', text)]) {
    const match = /[Bb]/.test(text[at - 1] ?? '') ? matchAt(basic, text, at) : null
    const before = text.slice(Math.max(0, at - 24), at - 1)
    if (match && /uthorization["'`]?\s*[:=,]\s*["'`]?$/i.test(before) && isLogin(match[1] ?? '')) {
      add('basic_login', at, match)
    }
  }
  return found
}

function isLogin(value: string): boolean {
  const text = readable(value)
  const colon = text.indexOf(':')
  const password = text.slice(colon + 1)
  const isSample = /^(?:Aladdin:open sesame|s6BhdRkqt3:)/.test(text)
  if (text === value || colon < 0 || isSample) return false
  return password.length >= 6 && !isUsualPassword(password) && password !== text.slice(0, colon)
}
