import { ownerOf } from '#src/core/counts/quota-table.ts'
import type { Ports } from '#src/core/context.ts'
import { Refusal } from '#src/core/errors.ts'
import { isPaidByOperator, type Choice } from '../runtimes/prompt/choose-model.ts'

/** The reason of a run that waits for a worker because its account may make no more paid calls this hour. */
export const noPaidCall = 'paid_calls_hour'

/**
 * Counts one more call of a model, where the operator's key pays for it.
 * @returns whether the account of the run may make it in this hour
 */
export async function mayCall(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  accountId: string,
  choice: Choice,
): Promise<boolean> {
  if (!isPaidByOperator(choice)) return true
  const account = await store.accounts.get(accountId)
  try {
    await quotas.admit(noPaidCall, ownerOf(accountId, account))
    return true
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'quota_exceeded') return false
    throw cause
  }
}
