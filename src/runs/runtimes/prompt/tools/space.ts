import { ownerOf } from '#src/core/counts/quota-table.ts'
import { Refusal } from '#src/core/errors.ts'
import type { Work } from '#src/runs/runtimes/runtime.ts'
import { ToolFault } from '../tool.ts'

/** Looks whether the account may keep anything more. @throws ToolFault where its quota is used up */
export async function needSpace({ ports, run }: Work): Promise<void> {
  const account = await ports.store.accounts.get(run.owner_id)
  const owner = ownerOf(run.owner_id, account)
  try {
    await ports.quotas.admit('stored_bytes', owner)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    throw new ToolFault(cause.message, { cause })
  }
}
