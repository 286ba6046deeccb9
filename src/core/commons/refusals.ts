import { Refusal, type Code } from '../errors.ts'
import { hintFor } from './codes.ts'

/** The Commons' own names for refusals that any operation may give. */
const namesInCommons: Partial<Record<Code, Code>> = {
  unauthenticated: 'missing_token',
  invalid_credential: 'invalid_token',
  scope_forbidden: 'forbidden',
  insufficient_scope: 'forbidden',
  role_needed: 'forbidden',
  body_not_object: 'bad_json',
  too_deep: 'bad_json',
}

/** The Commons' name for a code. */
export function codeInCommons(code: Code): Code {
  return namesInCommons[code] ?? code
}

/** The same refusal in the words of the Commons, with a hint if it has none. */
export function inCommons(refusal: Refusal): Refusal {
  const { errors, retryAfterSeconds, members, cause } = refusal
  const isUnknown = errors?.every((fault) => fault.code === 'unknown_member') === true
  const code = isUnknown ? 'unknown_field' : codeInCommons(refusal.code)
  const hint = refusal.hint ?? hintFor(code)
  if (code === refusal.code && hint === refusal.hint) return refusal
  return new Refusal(code, refusal.message, {
    cause,
    hint,
    ...(errors && { errors }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(members && { members }),
  })
}
