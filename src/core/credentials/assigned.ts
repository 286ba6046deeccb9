import { matchAt, type Span } from './found.ts'
import { isGenerated, isRealPassword, isUsualPassword, readable } from './random.ts'

const nameAtMost = 64
// The last letters of every name below: a quick first test, since colons are frequent.
const nameEnd =
  /(?:pass|passw(?:or)?d|phrase|pwd|secret|key|key_?base|token|credentials?)(?:_?\d{1,3})?["'`*\]\\]{0,4}[ \t]{0,4}$/i
/** The name at the end, of one word or of two separated by a space. */
const lastName = /(?:[A-Za-z][\w.-]{0,40} )?[A-Za-z_][\w.-]{0,62}$/

const ofPassword = /(?:pass|passw(?:or)?d|passphrase|pwd)(?:_?\d{1,3})?$/
const keys =
  'api|secret|access|private|signing|encryption|master|auth|account|service|admin|server|license'
const tokens = 'api|access|auth|refresh|bearer|bot|personal|session|id|deploy|admin|service|secret'
const ofSecret = new RegExp(
  `(?:^|_)(?:secret|(?:${keys})_?key(?:_?base)?|(?:${tokens})_?token|token|credentials?)` +
    String.raw`(?:_?\d{1,3})?$`,
)
// Tokens that give no access, and keys that are public.
const ofNothing = new RegExp(
  '(?:^|_)(?:page|next|prev|previous|cursor|continuation|continue|sync|resume|csrf|xsrf|cancel' +
    '|cancellation|public|publishable|design|pad|eos|bos|mask|sep|unk|stop|hashed|encrypted' +
    '|masked|fingerprint|last4)(?:_|$)',
)

const opening = /(?::=|=>|[:=])(?:[ \t]|\\?["'`]|\*\*){0,8}/y
const value = /[^\s"'`<>\\,;)\]}|]{8,512}/y

/** Values after the name of a password, secret, key or token, as in `.env`, YAML, JSON or code. */
export function assignedIn(text: string): Span[] {
  const found: Span[] = []
  const signs = /[:=]/g
  for (let sign = signs.exec(text); sign; sign = signs.exec(text)) {
    if (!isAssignment(text, sign.index)) continue
    const next = look(text, sign.index, found)
    if (next > signs.lastIndex) signs.lastIndex = next
  }
  return found
}

/** Whether it assigns: comparisons, scopes and URLs do not. */
function isAssignment(text: string, at: number): boolean {
  const before = text[at - 1]
  const after = text[at + 1]
  if (text[at] === ':') return after !== ':' && before !== ':' && after !== '/'
  return after !== '=' && before !== '=' && before !== '!' && before !== '<' && before !== '>'
}

/** Where to continue: at the last sign in a value that was checked, so that it is not read again for each. */
function look(text: string, at: number, found: Span[]): number {
  if (!nameEnd.test(text.slice(Math.max(0, at - 24), at))) return at
  const before = text.slice(Math.max(0, at - nameAtMost), at).replace(/["'`*\]\\\s]{0,8}$/, '')
  const name = lastName.exec(before)?.[0]
  const open = matchAt(opening, text, at)
  if (name === undefined || !open) return at
  const kind = kindOf(name)
  const start = at + open[0].length
  const match = kind && matchAt(value, text, start)
  if (!kind || !match) return at
  // Cut off the next member of a form, and the end of a sentence.
  const sent = match[0].replace(/&[\w.-]{1,40}=.*$/, '').replace(/[.:!?*]{1,3}$/, '')
  if (isReal(sent, kind)) found.push({ kind, at: start, end: start + sent.length })
  return start + Math.max(match[0].lastIndexOf(':'), match[0].lastIndexOf('='))
}

function kindOf(name: string): 'password' | 'secret' | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
  if (ofNothing.test(words)) return undefined
  if (ofPassword.test(words)) return 'password'
  return ofSecret.test(words) ? 'secret' : undefined
}

/** Dotted names are read from elsewhere, and names in capitals are set elsewhere. */
const read = /^(?:[A-Za-z_]+(?:\.[A-Za-z_]+\d{0,2})+|[A-Z]+(?:_[A-Z0-9]+)+)$/

function isReal(sent: string, kind: 'password' | 'secret'): boolean {
  const looksReal = kind === 'password' ? isRealPassword(sent) : isGenerated(sent)
  if (!looksReal || read.test(sent)) return false
  // Some files keep passwords in base64, so the decoded text is checked too.
  const said = readable(sent)
  return said === sent || !isUsualPassword(said)
}
