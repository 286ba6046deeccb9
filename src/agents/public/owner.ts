import * as z from 'zod'
import type { Account } from '#src/accounts/account.ts'

export const PublicOwner = z
  .object({ kind: z.enum(['agent', 'person']), name: z.string().optional() })
  .meta({ id: 'PublicOwner' })
/** What everybody may know of whoever owns an agent. */
export type PublicOwner = z.infer<typeof PublicOwner>

/** An account is named by whoever makes it, by mistake also after an e-mail address or a credential. */
const notAName = /\S@\S|\b(?:abs?|cmn|act|lse|ort|ses)_\w{16}/

/** Of an account its kind and its name. */
export function showableOwner({ kind, name }: Pick<Account, 'kind' | 'name'>): PublicOwner {
  return { kind, ...(name !== null && !notAName.test(name) && { name }) }
}
