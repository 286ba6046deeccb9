import type { Refusal } from '../errors.ts'
import { inNames, inWords, type Words } from './reference.ts'

const wrongTokens: readonly string[] = ['invalid_credential', 'invalid_token', 'token_revoked']
const charactersAtMost = 200

/**
 * The challenge with which a credential is refused, for clients that show no body; undefined for other refusals. One
 * that sent none is told no error. A program that was not allowed a call is told which scopes to ask for.
 * Source: RFC 6750, section 3.
 */
export function challengeOf(
  { kind, code, message, members }: Pick<Refusal, 'kind' | 'code' | 'message' | 'members'>,
  words: Words = inNames,
): string | undefined {
  const scope = scopeToAskFor({ kind, members })
  if (scope !== undefined) {
    return `Bearer error="insufficient_scope", scope="${scope}", ${described(message, words)}`
  }
  if (kind !== 'unauthenticated') return undefined
  if (!wrongTokens.includes(code)) return 'Bearer'
  return `Bearer error="invalid_token", ${described(message, words)}`
}

function described(message: string, words: Words): string {
  const description = inWords(message, words).slice(0, charactersAtMost)
  return `error_description="${quotable(description)}"`
}

/** The scopes for which a program is told to ask its person again; the Commons has a code of its own for it. */
export function scopeToAskFor({
  kind,
  members,
}: Pick<Refusal, 'kind' | 'members'>): string | undefined {
  const scope = members?.['ask_for']
  return kind === 'forbidden' && typeof scope === 'string' ? scope : undefined
}

/** A text with only the characters that the value may have. */
function quotable(text: string): string {
  return text.replaceAll(/[^ !#-[\]-~]/g, "'")
}
