import type { Refusal } from '../errors.ts'
import { inNames, inWords, type Words } from './reference.ts'

const wrongTokens: readonly string[] = ['invalid_credential', 'invalid_token', 'token_revoked']
const charactersAtMost = 200

/**
 * The challenge with which a credential is refused, for clients that show no body; undefined for other refusals. One
 * that sent none is told no error.
 * Source: RFC 6750, section 3.
 */
export function challengeOf(
  { kind, code, message }: Pick<Refusal, 'kind' | 'code' | 'message'>,
  words: Words = inNames,
): string | undefined {
  if (kind !== 'unauthenticated') return undefined
  if (!wrongTokens.includes(code)) return 'Bearer'
  const description = inWords(message, words).slice(0, charactersAtMost)
  return `Bearer error="invalid_token", error_description="${quotable(description)}"`
}

/** A text with only the characters that the value may have. */
function quotable(text: string): string {
  return text.replaceAll(/[^ !#-[\]-~]/g, "'")
}
