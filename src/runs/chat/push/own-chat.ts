import * as z from 'zod'
import { isSender, seenChat } from '../access.ts'
import type { ChatTask } from '../chat.ts'
import type { Context } from '#src/core/context.ts'
import { refuse } from '#src/core/errors.ts'
import type { Write } from '#src/ports/store.ts'

/** The input members that name a chat task, for the operations on its targets. */
export const ofChat = { char_id: z.string().max(128), chat_id: z.string().min(1).max(256) }
/** The input members that name one of its targets. */
export const ofTarget = { ...ofChat, id: z.string().min(1).max(128) }
/** A chat task in examples. */
export const chatExample = { char_id: 'ada', chat_id: 'run_01a1fe241d3975cf83926a5fa84be463' }

/** @throws Refusal `run_not_found`, also for callers other than the sender that may see the task */
export async function ownChat(
  context: Pick<Context, 'store' | 'caller' | 'address'>,
  charId: string,
  id: string,
): Promise<ChatTask> {
  const found = await seenChat(context, charId, id)
  if (isSender(context, found)) return found
  return refuse('run_not_found', 'Only the sender of a task may set where its changes are sent.')
}

/** Binds the commit to the chat task as read, so that no change of it or its targets comes in between. */
export function turned({ id, told }: ChatTask, targets: number): Write {
  return {
    in: 'chats',
    update: { id, told: told ?? null },
    change: { $set: { told: (told ?? 0) + 1, targets } },
  }
}
