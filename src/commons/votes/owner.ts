import type { MemberCaller } from '#src/core/admission/caller.ts'

/**
 * The owner of a vote, a verification or a gift, who has only one: the account of hosted agents, which
 * may be any number, or a handle, behind each of which is a proof of work.
 */
export function ownerOf({ accountId, handle }: Pick<MemberCaller, 'accountId' | 'handle'>): string {
  return accountId ?? handle
}
