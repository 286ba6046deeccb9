import { admitBytesOf } from '#src/accounts/room.ts'
import type { Context } from '#src/core/context.ts'
import type { PushTarget } from '#src/events/outbox/push-target.ts'
import type { Write } from '#src/ports/store.ts'
import { noChat } from '../access.ts'
import type { ChatTask } from '../chat.ts'
import { standingOf } from '../state.ts'
import { owedFor } from './owed.ts'

/**
 * The notifications of the end of a chat task to a target that is set after it, for the commit of the target:
 * without them it would hear nothing.
 * @throws Refusal `quota_exceeded` if the sender of the task may leave no more; `run_not_found`
 */
export async function toldLate(
  context: Pick<Context, 'store' | 'quotas' | 'clock'>,
  chat: ChatTask,
  target: PushTarget,
): Promise<Write[]> {
  const { run } = (await standingOf(context.store, chat.id)) ?? noChat(chat.id)
  const number = (chat.told ?? 0) + 1
  const owed = owedFor([target], { chat, run, number, now: context.clock.now() })
  const bytes = owed.reduce((sum, one) => sum + bytesOf(one), 0)
  await admitBytesOf(context, run.owner_id, { sender: run.sender, bytes })
  return owed
}

function bytesOf(write: Write): number {
  return 'insert' in write && 'bytes' in write.insert ? (write.insert.bytes ?? 0) : 0
}
