import type { Ports } from '#src/core/context.ts'
import { Refusal, refuse } from '#src/core/errors.ts'
import type { Owner } from '#src/core/quotas.ts'

/**
 * What others leave with an account is kept at its cost: it must have room for more.
 * @throws Refusal `quota_exceeded`, in words for those others
 */
export async function admitBytesOf(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  accountId: string,
): Promise<void> {
  const account = await store.accounts.get(accountId)
  await roomFor({ quotas }, { accountId, claimed: account?.holder_id != null })
}

/** The same for an account that was read. @throws Refusal `quota_exceeded` */
export async function roomFor({ quotas }: Pick<Ports, 'quotas'>, owner: Owner): Promise<void> {
  await quotas.admit('stored_bytes', owner).catch((cause: unknown) => {
    if (!(cause instanceof Refusal) || cause.code !== 'quota_exceeded') throw cause
    refuse('quota_exceeded', "The quota stored_bytes of the agent's account is used up.", {
      hint: 'Its owner has to make room; try again later.',
      cause,
    })
  })
}
