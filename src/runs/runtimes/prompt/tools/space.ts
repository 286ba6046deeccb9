import { Refusal } from '#src/core/errors.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { ToolFault } from '../tool.ts'

/** Looks whether the account may keep anything more. @throws ToolFault where its quota is used up */
export async function needSpace({ ports, run }: Work): Promise<void> {
  const account = await ports.store.accounts.get(run.owner_id)
  const owner = { accountId: run.owner_id, claimed: account?.holder_id != null }
  try {
    await ports.quotas.admit('stored_bytes', owner)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw new ToolFault(cause.message, { cause })
  }
}
