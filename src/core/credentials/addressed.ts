import { matchAt, placesOf, type Span } from './found.ts'
import { isRandom, isUsualPassword } from './random.ts'

const login = /:\/\/([^\s:@/?#"'`<>]{0,128}):([^\s@/"'`<>]{6,256})@([^\s/:?#"'`<>,;)\]]{1,253})/y
const slackHook =
  /:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{6,14}\/[A-Z0-9]{6,20}\/(?:\d{10,24}\/)?([A-Za-z0-9]{20,40})/y
const discordHook =
  /:\/\/(?:canary\.|ptb\.)?discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,21}\/([\w-]{60,90})/y
/** Host names of the reader's own machine, and names that are reserved for examples. */
const ownHost =
  /^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[?::1\]?|host|hostname|server|(?:.+\.)?(?:example(?:\.\w+)?|test|invalid|localhost))$/i

/** Passwords in URLs, and URLs that are secrets themselves. */
export function addressedIn(text: string): Span[] {
  const found: Span[] = []
  for (const at of placesOf('://', text)) {
    const match = matchAt(login, text, at)
    if (match && isLogin(match)) {
      const start = at + 3 + (match[1] ?? '').length + 1
      const end = start + (match[2] ?? '').length
      found.push({ kind: 'password_in_address', at: start, end })
    }
    const hook = matchAt(slackHook, text, at) ?? matchAt(discordHook, text, at)
    if (hook && isRandom(hook[1] ?? '')) {
      found.push({ kind: 'webhook_address', at: at + 3, end: at + hook[0].length })
    }
  }
  return found
}

function isLogin([, user = '', password = '', host = '']: RegExpExecArray): boolean {
  if (ownHost.test(host) || isUsualPassword(password) || /^[$%([]/.test(password)) return false
  if (password.toLowerCase() === user.toLowerCase()) return false
  return /[A-Za-z]/.test(password) && (/[^A-Za-z]/.test(password) || password.length >= 12)
}
