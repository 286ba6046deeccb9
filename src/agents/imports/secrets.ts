import { addressedIn } from '#src/core/credentials/addressed.ts'
import { assignedIn } from '#src/core/credentials/assigned.ts'
import { begunIn } from '#src/core/credentials/begun.ts'
import { headersIn, privateKeysIn } from '#src/core/credentials/carried.ts'

/** What replaces a credential. */
const mask = '[secret]'

/** Names of members that are credentials if their value is one word. */
const byName =
  /(?:^|[-_])(?:api|access|secret|private|auth|signing|encryption)[-_]?keys?$|^(?:apikey|accesskey)$|(?:^|[-_])(?:access|refresh|bearer|auth|bot|api|id)[-_]?tokens?$|(?:^|[-_])secrets?$/i
/** Names of members that are credentials even if their value has blanks. */
const byNameAlone = /(?:^|[-_])authorization$|(?:^|[-_])pass(?:word|wd|phrase)s?$/i
/** Names of likely credentials in an environment or in request headers. */
const inSettings = /key|token|secret|pass|pwd|auth|credential|cookie/i
const settings = /\/(?:env|headers)\/[^/]*$/i
const login = /^([a-z][\w+.-]*:\/\/[^\s:@/?#]*:)[^\s@/?#]+(?=@)/i
/** Names of members that hold credentials in files of other programs. */
const byForeignName = /(?:^|[-_])(?:tokens?|cookies?|credentials?|mnemonic|seed[-_]?phrase)$/i
/** A reference to a secret or a placeholder is not a secret itself. */
const reference = /\{\{[^{}]*\}\}|^\$\{?\w+\}?$|^<[^<>]*>$/

/** A text without its credentials, and their kinds. */
export interface Cleaned {
  text: string
  kinds: string[]
}

/** The text with a mark in place of each credential; undefined if it holds none. */
export function withoutSecrets(text: string): Cleaned | undefined {
  const [, before] = (!reference.test(text) && login.exec(text)) || []
  if (before !== undefined) {
    return { text: text.replace(login, () => before + mask), kinds: ['password_in_address'] }
  }
  const spans = [
    ...privateKeysIn(text),
    ...begunIn(text),
    ...addressedIn(text),
    ...headersIn(text),
    ...assignedIn(text),
  ].sort((a, b) => a.at - b.at)
  if (spans.length === 0) return undefined
  const kinds = new Set<string>()
  const parts: string[] = []
  let end = 0
  for (const span of spans) {
    kinds.add(span.kind)
    if (span.at >= end) parts.push(text.slice(end, span.at), mask)
    end = Math.max(end, span.end)
  }
  return { text: parts.join('') + text.slice(end), kinds: [...kinds] }
}

/** Whether the text held only credentials. */
export function wasAllSecret({ text }: Cleaned): boolean {
  return (
    text
      .replaceAll(mask, '')
      .replaceAll(/^(?:bearer|basic)\b/gi, '')
      .trim() === ''
  )
}

/**
 * Whether a member is a credential by its name alone, or by its name and the look of its value.
 * @param pointer of the member; its last step is the name
 */
export function isSecretMember(
  name: string,
  value: string,
  isForeign: boolean,
  pointer: string,
): boolean {
  const text = value.trim()
  if (text === '' || reference.test(text)) return false
  if (byNameAlone.test(name) || (isForeign && byForeignName.test(name))) return true
  if (settings.test(pointer) && inSettings.test(name)) return true
  if (byName.test(name) && !/\s/.test(text)) return true
  return text.length <= 512 && assignedIn(`${name}: ${text}`).length > 0
}
