import { newInvitation, type StoredInvitation } from '#src/accounts/invitation.ts'
import type { Ports } from '#src/core/context.ts'

/** A new invitation in the store, as the operator's command makes it; gives its code. */
export async function invited(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { uses = 1, days = 7, more = {} }: Terms = {},
): Promise<string> {
  const { code, record } = newInvitation({ uses, days }, clock.now())
  await store.invitations.insert({ ...record, ...more })
  return code
}

interface Terms {
  uses?: number
  days?: number
  /** Members that differ from what is usual of a new one. */
  more?: Partial<StoredInvitation>
}
