import * as z from 'zod'
import type { Account } from '#src/accounts/account.ts'

export const PublicOwner = z
  .object({ kind: z.enum(['agent', 'person']), name: z.string().optional() })
  .meta({ id: 'PublicOwner' })
/** What is public about the owner of an agent. */
export type PublicOwner = z.infer<typeof PublicOwner>

/** Account names are free: some hold an e-mail address or a credential by mistake. */
const notAName = /\S@\S|\b(?:abs?|cmn|act|lse|ort|ses)_\w{16}/

/** The kind and the name of an account. */
export function showableOwner({ kind, name }: Pick<Account, 'kind' | 'name'>): PublicOwner {
  return { kind, ...(name !== null && !notAName.test(name) && { name }) }
}
