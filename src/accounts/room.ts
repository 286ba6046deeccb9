import type { Ports } from '#src/core/context.ts'
import { Refusal, refuse } from '#src/core/errors.ts'

/**
 * What others leave with an account is kept at its cost: it must have room for more.
 * @throws Refusal `quota_exceeded`, in words for those others
 */
export async function admitBytesOf(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  accountId: string,
): Promise<void> {
  const account = await store.accounts.get(accountId)
  const owner = { accountId, claimed: account?.holder_id != null }
  await quotas.admit('stored_bytes', owner).catch((cause: unknown) => {
    if (!(cause instanceof Refusal) || cause.code !== 'quota_exceeded') throw cause
    refuse('quota_exceeded', "The quota stored_bytes of the agent's account is used up.", {
      hint: 'Its owner has to make room; try again later.',
      cause,
    })
  })
}
