import type { Ports } from '#src/core/context.ts'
import { Refusal } from '#src/core/errors.ts'
import type { StoredTask } from '#src/tasks/task.ts'

/** Why a task that others set going is not run now; undefined when it is. */
export async function reasonToSkip(
  { store, quotas }: Pick<Ports, 'store' | 'quotas'>,
  task: StoredTask,
): Promise<string | undefined> {
  if (!task.enabled) return 'task_disabled'
  if (task.autonomy === 'manual') return 'autonomy_manual'
  if (quotas.limitOf('runs_a_day', { claimed: true }) === Infinity) return undefined
  const account = await store.accounts.get(task.owner_id)
  const owner = { accountId: task.owner_id, claimed: account?.holder_id != null }
  try {
    await quotas.admit('runs_a_day', owner)
    return undefined
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'quota_exceeded') return 'quota'
    throw cause
  }
}
