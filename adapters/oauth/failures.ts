import { OAuthFailure, type OAuthFault } from '#src/ports/oauth.ts'
import { OutboundFailure } from '#src/ports/sender.ts'

const texts: Record<OAuthFault, string> = {
  unreachable: 'The authorization server cannot be reached.',
  unusable: 'The authorization server does not answer as OAuth asks.',
  other_resource: 'What the server says of itself is about another address.',
  other_issuer: 'The authorization server says that it is another one.',
  no_pkce: 'The authorization server does not say that it takes PKCE with S256.',
  refused: 'The authorization server refused.',
}

/** A failure with the fixed text of its fault. */
export function failure(fault: OAuthFault, cause?: unknown): OAuthFailure {
  return new OAuthFailure(fault, texts[fault], cause === undefined ? {} : { cause })
}

export function tooLarge(): OAuthFailure {
  return new OAuthFailure('unusable', 'The answer of the authorization server is too long.')
}

/** A refusal by an error code of OAuth, which alone is repeated of what the other side said. */
export function refusal(error: unknown, cause: unknown): OAuthFailure {
  const code = typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : undefined
  const message = code === undefined ? texts.refused : `The authorization server refused: ${code}.`
  return new OAuthFailure('refused', message, { cause, error: code })
}

/** The failure that anything thrown on the way stands for. */
export function failureOf(cause: unknown): OAuthFailure {
  if (cause instanceof OAuthFailure) return cause
  if (cause instanceof OutboundFailure) {
    return new OAuthFailure('unreachable', `${texts.unreachable} ${cause.message}`, { cause })
  }
  return failure('unusable', cause)
}
