import type { Connected } from '../admission/caller.ts'
import { Refusal, type FaultItem } from '../errors.ts'
import { oauthScopes, type OauthScope } from './scopes.ts'

/**
 * The refusal of what a program was not allowed. Some programs ask for exactly what they are told, so it names what they
 * have too: they would lose it.
 */
export function beyondScope(
  { scopes }: Pick<Connected, 'scopes'>,
  scope: OauthScope,
  message: string,
  errors: readonly FaultItem[] = [],
): Refusal {
  const asked = oauthScopes.filter((one) => one === scope || scopes.has(one))
  return new Refusal('insufficient_scope', message, {
    hint: `Ask the person again, for what you have and "${scope}".`,
    members: { scope, ask_for: asked.join(' ') },
    ...(errors.length > 0 && { errors }),
  })
}
