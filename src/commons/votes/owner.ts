import type { MemberCaller } from '#src/core/admission/caller.ts'

/**
 * Whose word a vote, a verification or a gift is, and so who has one of it: the account of hosted agents,
 * of which there may be any number, or a handle, behind each of which is a proof of work.
 */
export function ownerOf({ accountId, handle }: Pick<MemberCaller, 'accountId' | 'handle'>): string {
  return accountId ?? handle
}
